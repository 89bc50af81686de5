"""Solve any game by the search that players use, :class:`arena.games.search.Search`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import Undecided
from arena.game import Position
from arena.games.search import BudgetSpent, Search
from arena.proof import progress
from arena.proof.limit import Limit

#: Calls of Python for each ply of a search, and those outside of it.
FRAMES, OUTSIDE = 4, 1000


class GeneralSearch:
    """The search of one position to the end of the game, within a limit."""

    def __init__(self, position: Position, limit: Limit) -> None:
        self._position, self._limit = position, limit
        self._search = Search(limit.positions, watch=self._require)

    @property
    def positions(self) -> int:
        """Positions that the search has looked at, some of them often."""
        return self._limit.positions - self._search.positions_left

    @property
    def remembered(self) -> int:
        """Positions whose values the search has in its table."""
        return self._search.remembered

    def _require(self, left: int) -> None:
        """Raise Undecided beyond the limit."""
        reached = self._limit.positions - left
        progress.tell(reached, self._limit.positions, "positions searched", "at most")
        self._limit.require(reached, f"the search of {self._position.game.name}")

    def solve(self) -> tuple[int, int]:
        """Return the value, as :func:`arena.games.search.solve` does, and a best move.

        Raises Undecided if that takes more than the limit.
        """
        return self._best(self._position)

    def move(self, position: Position) -> int:
        """Return the best move with the least number. Raises Undecided as :meth:`solve` does."""
        return self._best(position)[1]

    def _best(self, position: Position) -> tuple[int, int]:
        left = position.game.max_plies - position.ply
        try:
            with _recursion(FRAMES * left + OUTSIDE):
                value, moves = self._search.best_moves(position, left)
        except BudgetSpent:
            game, most = position.game, f"{self._limit.positions:,}"
            why = "" if game.transposes else "; no two orders of moves lead to one position there"
            raise Undecided(
                f"{game.name} is not solved after a search of {most} positions{why}"
            ) from None
        return value, moves[0]


@contextmanager
def _recursion(deepest: int) -> Iterator[None]:
    """Let Python call as deep as the search goes."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, deepest))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
