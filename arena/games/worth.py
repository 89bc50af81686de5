"""Say what positions and moves are worth under perfect play.

A value is that for one side: 0 for a draw, else the plies to its win. It is negative for a loss.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

from arena.game import Game, Position
from arena.games.effort import scaled_budget
from arena.games.search import BudgetSpent, Search, is_small

#: Positions that a search may look at to solve a game from its start, and for each position later.
MAX_FIRST_POSITIONS = 12_000
MAX_LATER_POSITIONS = 2_000

#: Positions that one :class:`Worths` values; a game of 3 by 3 squares has fewer.
MAX_WORTH_POSITIONS = 20_000


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def value_of_move(
    position: Position, move: int, value_of: Callable[[Position], int | None]
) -> int | None:
    """Return the value of a move for the side that makes it, or None if it is not known."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        winner = outcome.winner
        return 0 if winner is None else 1 if winner == position.to_move else -1
    value = value_of(after)
    if not value:
        return value
    plies = abs(value) + 1
    return plies if (value > 0) is (after.to_move == position.to_move) else -plies


def word(value: int) -> str:
    """Return ``draw``, ``win`` or ``loss`` for a value of which the plies are not known."""
    return {1: "win", 0: "draw", -1: "loss"}[sign(value)]


def describe(value: int) -> str:
    """Return ``draw``, ``win in 3`` or ``loss in 2``, in plies."""
    return "draw" if not value else f"{'win' if value > 0 else 'loss'} in {abs(value)}"


def difference(best: int, value: int) -> str:
    """Say what a move of one value gives away where another has the best. The result is empty if
    nothing.
    """
    return {1: "a win", 0: "a draw"}[sign(best)] if sign(value) < sign(best) else ""


def blunder(gives_away: str, better: tuple[str, ...]) -> str:
    """Say that a move gives something away, and which moves keep it.

    >>> blunder("a draw", ("2",))
    '?? gives a draw away; 2 keeps it'
    """
    keep = "keeps" if len(better) == 1 else "keep"
    return f"?? gives {gives_away} away" + (f"; {', '.join(better)} {keep} it" if better else "")


class Worths:
    """The worth of the moves of one game, for many moves and within a budget.

    It knows those of games that a search of MAX_FIRST_POSITIONS solves, so that a page of ten
    thousand games takes seconds at most.
    """

    def __init__(self, game: Game) -> None:
        self._solver = _solver(game)
        self._remaining = (
            scaled_budget(MAX_WORTH_POSITIONS, game) if self._solver is not None else 0
        )
        self._valued: dict[Position, int | None] = {}
        self._texts: dict[tuple[Position, int], str] = {}

    def text(self, position: Position, move: int) -> str:
        """Return ``win in 3``, or what the move gives away. The result is empty where that is
        unknown.
        """
        key = position, move
        if key not in self._texts:
            self._texts[key] = self._text(position, move)
        return self._texts[key]

    def gives_away(self, position: Position, move: int) -> str | None:
        """Return ``a win`` or ``a draw``, empty if nothing, or None where that is unknown."""
        both = self._both(position, move)
        return None if both is None else difference(*both)

    def _both(self, position: Position, move: int) -> tuple[int, int] | None:
        """Return the value of a position and that of a move there, or None if one is not known."""
        best, value = self._value(position), self._after(position, move)
        return None if best is None or value is None else (best, value)

    def _text(self, position: Position, move: int) -> str:
        both = self._both(position, move)
        if both is None:
            return ""
        best, value = both
        lost = difference(best, value)
        if not lost:
            return describe(value)
        worths = {each: self._after(position, each) for each in position.legal_moves()}
        values = {each: worth for each, worth in worths.items() if worth is not None}
        equal = [each for each, worth in values.items() if sign(worth) == sign(best)]
        is_whole = len(values) == len(worths)  # a list that lacks some would mislead
        return blunder(lost, tuple(map(position.game.format_move, equal if is_whole else ())))

    def _after(self, position: Position, move: int) -> int | None:
        """Return the value of a move for the side that makes it."""
        return value_of_move(position, move, self._value)

    def _value(self, position: Position) -> int | None:
        if position not in self._valued:
            if self._solver is None or not self._remaining:
                return None
            self._remaining -= 1
            self._valued[position] = self._solver.value(position)
        return self._valued[position]


class _MemoSearch:
    """A search of a game that remembers: pages of one store ask for the same positions."""

    #: Most positions that it remembers before it forgets all.
    MEMORY = 200_000

    def __init__(self, game: Game) -> None:
        self._game, self._search = game, Search(0)
        self._values: dict[Position, int | None] = {}
        self._each = scaled_budget(MAX_LATER_POSITIONS, game)

    def value(self, position: Position, budget: int | None = None) -> int | None:
        """Return the value of a position for the side to move, None if it takes too long."""
        if position not in self._values:
            if len(self._values) >= self.MEMORY:
                self._values, self._search = {}, Search(0)
            self._values[position] = self._solved(position, budget or self._each)
        return self._values[position]

    def _solved(self, position: Position, budget: int) -> int | None:
        remaining = self._game.max_plies - position.ply
        self._search.positions_left = budget
        with suppress(BudgetSpent):
            value, _ = self._search.best_moves(position, remaining)
            return 0 if not value else (remaining + 1 - abs(value)) * sign(value)
        return None


@lru_cache(maxsize=4)
def _solver(game: Game) -> _MemoSearch | None:
    """Return what solves a game, None if that takes long, or if it has luck, secrets or payoffs."""
    if game.features or not is_small(game):
        return None
    solver = _MemoSearch(game)
    return (
        None
        if solver.value(game.start(), scaled_budget(MAX_FIRST_POSITIONS, game)) is None
        else solver
    )
