"""Solve a position by the method that suits its game, or refuse it before it fills the memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.errors import Undecided, UsageError
from arena.game import Position, Side
from arena.solver.arrays import arrays_of
from arena.solver.checkpoint import Checkpoint
from arena.solver.compiled import is_installed
from arena.solver.estimate import ENOUGH, estimated_positions
from arena.solver.falling import FallingSearch, is_falling
from arena.solver.general import GeneralSearch
from arena.solver.retrograde import Retrograde

if TYPE_CHECKING:
    from arena.solver.arrays import Strategy

#: The most positions that are valued in arrays, up to symmetry: about a gigabyte.
MAX_VALUED = 30_000_000

#: The most positions that a search of any game looks at: some hundred bytes each.
MAX_SEARCHED = 1_000_000

#: The most positions of a game of four in a row whose search is begun, by :mod:`estimate`: with
#: numba, and without.
MAX_COMPILED, MAX_PLAIN = 1e13, 1e10

#: Lines of a game of which alpha-beta looks at the root at least (Knuth and Moore, 1975); many
#: lines lead to one position.
MAX_LINES = 1e15


@dataclass(frozen=True)
class Solution:
    """The value of a position for the side to move, and moves that prove it."""

    #: 1 for a win, 0 for a draw, -1 for a loss.
    value: int
    #: To the end of the game if the winner hurries and the loser resists; None in a draw, or where
    #: nobody asked.
    plies: int | None
    #: How it was found, in a few words, and positions looked at.
    method: str
    positions: int
    #: Moves for games in arrays: keeping what is known of whether this side, the attacker, wins.
    strategy: Callable[[Side], Strategy] | None = None
    #: A best move at a position of another game.
    move: Callable[[Position], int] | None = None


def solve(
    position: Position,
    max_positions: int | None = None,
    checkpoint: Checkpoint | None = None,
    plies: bool = True,
) -> Solution:
    """Return the solution of a position; ``plies`` says whether also how long the game lasts.

    Raises UsageError where the game is over, and Undecided, with an estimate, for a game that is
    too large, or after ``max_positions``.
    """
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is nothing to solve")
    if is_falling(position.game):
        return _fall(position, checkpoint, plies)
    if arrays_of(position.game) is not None:
        return _value_all(position, max_positions or MAX_VALUED, checkpoint)
    return _search(position, max_positions or MAX_SEARCHED)


def _fall(position: Position, checkpoint: Checkpoint | None, plies: bool) -> Solution:
    most = MAX_COMPILED if is_installed() else MAX_PLAIN
    hint = "" if is_installed() else "; numba would help: pip install 'proving-arena[solve]'"
    _refuse(position, most, "positions", hint)
    search = FallingSearch(position, checkpoint)
    me = position.to_move
    winner = next((side for side in (me, me.other) if search.wins(side)), None)
    last = search.plies_to_win(winner) if plies and winner is not None else None
    value = 0 if winner is None else 1 if winner == me else -1
    how = "compiled by numba" if search.is_compiled else "in Python"
    method = f"yes-or-no questions to a search {how}"
    return Solution(value, last, method, search.nodes, search.strategy)


def _value_all(position: Position, most: int, checkpoint: Checkpoint | None) -> Solution:
    _refuse(position, 8 * most, "positions")  # symmetric ones are valued once
    found = Retrograde(position, most, checkpoint)
    worth = int(found.levels[0].scores[0])
    method = "retrograde analysis of all positions"
    value, plies = _in_plies(position, worth)
    return Solution(value, plies, method, found.positions, strategy=lambda _: found.moves)


def _search(position: Position, most: int) -> Solution:
    _refuse(position, MAX_LINES, "lines of play")
    search = GeneralSearch(position, most)
    worth, _ = search.solve()
    method = "an alpha-beta search"
    value, plies = _in_plies(position, worth)
    return Solution(value, plies, method, search.positions, move=search.move)


def _in_plies(position: Position, worth: int) -> tuple[int, int | None]:
    """Return the sign of a search's value, and after how many plies the game ends."""
    left = position.game.max_plies - position.ply
    return (worth > 0) - (worth < 0), left + 1 - abs(worth) if worth else None


def _refuse(position: Position, most: float, what: str, hint: str = "") -> None:
    """Raise Undecided if the game has more positions, or lines, than the most."""
    estimate = estimated_positions(position)
    if estimate > most:
        about = f"more than {ENOUGH:.0e}" if estimate >= ENOUGH else f"about {estimate:.0e}"
        raise Undecided(
            f"{position.game.name} is too large to be solved here: an estimate finds {about} {what}"
            f" from this position, and the most is {most:.0e}{hint}"
        )
