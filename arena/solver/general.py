"""Solve any game by the search that players use, :class:`arena.games.search.Search`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from arena.errors import Undecided
from arena.game import Position
from arena.games.search import BudgetSpent, Search
from arena.proof import progress
from arena.proof.limit import Limit
from arena.solver.checkpoint import SearchCheckpoint

#: Calls of Python for each ply of a search, and those outside of it.
FRAMES_A_PLY, FRAMES_OUTSIDE = 4, 1000

#: The name of a search in a checkpoint, and what stands between the texts of its positions.
STATE, _BETWEEN = "search", "\0"


class GeneralSearch:
    """The search of one position to the end of the game, within a limit.

    A checkpoint keeps what it remembers, if there is one.
    """

    def __init__(
        self, position: Position, limit: Limit, checkpoint: SearchCheckpoint | None = None
    ) -> None:
        self._position, self._limit, self._checkpoint = position, limit, checkpoint
        self._search = Search(limit.positions, watch=self._look)
        self._resume()

    @property
    def positions(self) -> int:
        """Positions that the search has looked at, some of them often."""
        return self._limit.positions - self._search.positions_left

    @property
    def remembered(self) -> int:
        """Positions whose values the search has in its table."""
        return len(self._search.table)

    def _look(self, positions_left: int) -> None:
        """Tell how far the search is, and keep it. Raises Undecided beyond the limit."""
        reached = self._limit.positions - positions_left
        progress.tell(reached, self._limit.positions, "positions searched", "at most")
        self._limit.require(reached, f"the search of {self._position.game.name}")

        if self._checkpoint is not None and self._checkpoint.is_due():
            self._keep(self._checkpoint, reached)

    def _keep(self, checkpoint: SearchCheckpoint, reached: int) -> None:
        """Keep the table, by the texts of its positions.

        The order of moves begins again with the next process: so it takes the same way to where
        this one was.
        """
        table = self._search.table
        texts = _BETWEEN.join(str(position) for position, _ in table).encode()
        state = {
            "reached": np.array(reached),
            "texts": np.frombuffer(texts, np.uint8),
            "bounds": np.array(list(table.values()), np.int32).reshape(-1, 2),
        }
        checkpoint.save(STATE, state)

    def _resume(self) -> None:
        """Remember what an earlier process has kept."""
        if self._checkpoint is None:
            return
        game, search = self._position.game, self._search
        with self._checkpoint.reading(STATE) as state:
            if state is None:
                return
            search.positions_left = max(0, self._limit.positions - int(state["reached"]))
            texts = state["texts"].tobytes().decode()
            positions = texts.split(_BETWEEN) if texts else ()
            for text, (low, high) in zip(positions, state["bounds"].tolist(), strict=True):
                position = game.parse(text)
                search.table[position, game.max_plies - position.ply] = low, high

    def solve(self) -> tuple[int, int]:
        """Return the value, as :func:`arena.games.search.solve` does, and a best move.

        Raises Undecided if that takes more than the limit.
        """
        return self._best(self._position)

    def move(self, position: Position) -> int:
        """Return the best move with the least number. Raises Undecided as :meth:`solve` does."""
        return self._best(position)[1]

    def _best(self, position: Position) -> tuple[int, int]:
        plies_left = position.game.max_plies - position.ply
        try:
            with _recursion(FRAMES_A_PLY * plies_left + FRAMES_OUTSIDE):
                value, moves = self._search.best_moves(position, plies_left)
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
