"""Solve a position by the method that suits its game, or refuse it before it fills the memory."""

from __future__ import annotations

from collections.abc import Callable

from arena.arrays import KeyStrategy
from arena.dataclass import dataclass
from arena.errors import Undecided, UsageError
from arena.game import Position, Side
from arena.games.line_game import has_keys
from arena.proof.estimate import MAX_LINES, about, estimate
from arena.proof.limit import Limit
from arena.solver.checkpoint import SearchCheckpoint
from arena.solver.compiled import INSTALL_NUMBA, is_installed
from arena.solver.falling import FallingSearch, is_falling
from arena.solver.general import GeneralSearch
from arena.solver.retrograde import Retrograde

#: The most positions that are valued in arrays, up to symmetry: about a gigabyte.
MAX_VALUED = 30_000_000

#: The most positions that a search of any game looks at: some hundred bytes each.
MAX_SEARCHED = 1_000_000

#: The most positions of a game of four in a row whose search is begun, by an estimate: with
#: numba, and without.
MAX_COMPILED_POSITIONS, MAX_PLAIN_POSITIONS = 1e13, 1e10

#: Positions that a search of four in a row looks at by default: more than in a day.
DEFAULT_NODES = 10**12

#: Random walks that tell the order of magnitude.
FEW = 100


@dataclass(frozen=True)
class Solution:
    """The value of a position for the side to move, and moves that prove it."""

    #: 1 for a win, 0 for a draw, -1 for a loss.
    value: int
    #: To the end of the game if the winner hurries and the loser resists; None in a draw, or where
    #: it was not asked for.
    plies: int | None
    #: How it was found, in a few words, and positions looked at.
    method: str
    positions: int
    #: Moves for games in arrays: keeping what is known of whether this side, the attacker, wins.
    strategy: Callable[[Side], KeyStrategy] | None = None
    #: A best move at a position of another game.
    move: Callable[[Position], int] | None = None
    #: Other costs, a line each.
    account: tuple[str, ...] = ()


def solve(
    position: Position,
    max_positions: int | None = None,
    checkpoint: SearchCheckpoint | None = None,
    plies: bool = True,
    max_seconds: float | None = None,
) -> Solution:
    """Return the solution of a position. ``plies`` says whether also how long the game lasts.

    Raises UsageError where the game is over, and Undecided, with an estimate, for a game that is
    too large, or after ``max_positions`` or ``max_seconds``.
    """
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is nothing to solve")
    if is_falling(position.game):
        return _fall(
            position, Limit(max_positions or DEFAULT_NODES, max_seconds), checkpoint, plies
        )
    if has_keys(position.game):
        return _value_all(position, Limit(max_positions or MAX_VALUED, max_seconds), checkpoint)
    return _search(position, Limit(max_positions or MAX_SEARCHED, max_seconds), checkpoint)


def _fall(
    position: Position, limit: Limit, checkpoint: SearchCheckpoint | None, plies: bool
) -> Solution:
    most = MAX_COMPILED_POSITIONS if is_installed() else MAX_PLAIN_POSITIONS
    hint = "" if is_installed() else f"; numba would help: {INSTALL_NUMBA}"
    _refuse(position, estimate([position]).positions, most, "positions", hint)
    search = FallingSearch(position, checkpoint, limit=limit)
    winner = search.winner()
    last = search.plies_to_win(winner) if plies and winner is not None else None
    value = 0 if winner is None else 1 if winner == position.to_move else -1
    how = "compiled by numba" if search.is_compiled else "in Python"
    method = f"yes-or-no questions to a search {how}"
    return Solution(value, last, method, search.nodes, search.strategy, account=search.account)


def _value_all(position: Position, limit: Limit, checkpoint: SearchCheckpoint | None) -> Solution:
    different = estimate([position]).positions / (1 + len(list(position.images())))
    _refuse(position, different, limit.positions, "positions up to symmetry")
    search = Retrograde(position, limit, checkpoint)
    worth = int(search.levels[0].scores[0])
    method = "retrograde analysis of all positions"
    value, plies = _in_plies(position, worth)
    sizes = " ".join(str(len(level.keys)) for level in search.levels)
    account = ("symmetric positions count as one", f"positions by ply: {sizes}")
    return Solution(value, plies, method, search.positions, lambda _: search.moves, account=account)


def _search(position: Position, limit: Limit, checkpoint: SearchCheckpoint | None) -> Solution:
    _refuse(position, estimate([position], walks=FEW).lines, MAX_LINES, "lines of play")
    search = GeneralSearch(position, limit, checkpoint)
    worth, _ = search.solve()
    method = "an alpha-beta search"
    value, plies = _in_plies(position, worth)
    account = (f"{search.remembered} positions are in its table",)
    return Solution(value, plies, method, search.positions, move=search.move, account=account)


def _in_plies(position: Position, worth: int) -> tuple[int, int | None]:
    """Return the sign of a search's value, and after how many plies the game ends."""
    plies_left = position.game.max_plies - position.ply
    return (worth > 0) - (worth < 0), plies_left + 1 - abs(worth) if worth else None


def _refuse(position: Position, estimated: float, most: float, what: str, hint: str = "") -> None:
    """Raise Undecided if an estimate finds more positions, or lines, than the most."""
    if estimated > most:
        raise Undecided(
            f"{position.game.name} is too large to be solved here: an estimate finds"
            f" {about(estimated)} {what} from this position, and the most is {about(most)}{hint}"
        )
