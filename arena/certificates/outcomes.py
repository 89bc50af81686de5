"""Calculate the exact result of a pairing at a game of lines in arrays, ply by ply.

Both players answer for many positions at once, and each lets chance take one of some moves, all
alike. Each position of a ply has the numerator of the probability of reaching it, a whole number of
any size; the denominator is the same for a ply.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.certificates.asking import Ask, asker
from arena.certificates.boards import Boards, boards_of
from arena.certificates.walk import blocks
from arena.game import WIN_FOR, Game, Outcome, Side
from arena.player import PlayerInfo, pair_names
from arena.proof import progress
from arena.proof.limit import Limit
from arena.proof.outcome import chances_of
from arena.records.proofs import ExactResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.certificates.boards import Keys

    #: Whole numbers of any size.
    Numbers: TypeAlias = NDArray[np.object_]


def is_in_arrays(game: Game, players: tuple[PlayerInfo, ...]) -> bool:
    """Return whether :func:`exact_result` takes a pairing."""
    return boards_of(game) is not None and all(p.shows_batches for p in players)


def exact_result(game: Game, a: PlayerInfo, b: PlayerInfo, limit: Limit) -> ExactResult:
    """Return the exact result in both starting orders, as :func:`arena.proof.outcome.exact_result`.

    Raises CannotEnumerate where a player's answers do not show its moves, Undecided beyond the
    limit. Symmetric positions are not merged.
    """
    boards = boards_of(game)
    assert boards is not None
    asks = asker(a, boards), asker(b, boards)
    what = f"{a.name} against {b.name} at {game.name}"
    (a_first, of_a), (b_first, of_b) = (
        _outcomes(game, boards, order, limit, what) for order in (asks, asks[::-1])
    )
    return ExactResult(
        game.name,
        game.version,
        pair_names(a.name, b.name),
        chances_of(a_first),
        chances_of(b_first).reversed(),
        positions=(of_a, of_b),
    )


def _outcomes(
    game: Game, boards: Boards, asks: tuple[Ask, ...], limit: Limit, what: str
) -> tuple[dict[Outcome, Fraction], int]:
    """Return the probability of each outcome, and how many positions were walked.

    The first of the players asked moves first.
    """
    import numpy as np

    found = dict.fromkeys(Outcome, Fraction(0))
    keys = np.array([boards.key(game.start())], np.uint64)
    numbers: Numbers = np.array([1], object)
    whole, reached = 1, 1
    for ply in range(game.max_plies):
        if not len(keys):
            break
        side = Side(ply & 1)
        squares = asks[side](keys)
        numbers, factor = _shared_out(boards, numbers, squares)
        whole *= factor
        ending = np.concatenate([boards.ending(part, side) for part in blocks(keys)]) & squares
        winner = side.other if boards.misere else side
        over = sum(int((part != 0) @ numbers) for part in boards.each_move(ending))
        found[WIN_FOR[winner]] += Fraction(over, whole)
        keys, numbers = _after(boards, keys, numbers, squares & ~ending, side)
        reached += len(keys)
        progress.tell(reached, limit.positions, "positions", "at most")
        limit.require(reached, what)
    found[Outcome.DRAW] += Fraction(int(numbers.sum()), whole)
    return found, reached


def _shared_out(boards: Boards, numbers: Numbers, squares: Keys) -> tuple[Numbers, int]:
    """Return the number that each move has, and by how much more they are parts of."""
    import numpy as np

    moves = np.zeros(len(squares), np.int64)
    for part in boards.each_move(squares):
        moves += part != 0
    factor = lcm(*np.unique(moves).tolist())
    shares: NDArray[Any] = np.array([0, *(factor // n for n in range(1, boards.moves + 1))], object)
    return numbers * shares[moves], factor


def _after(
    boards: Boards, keys: Keys, numbers: Numbers, squares: Keys, side: Side
) -> tuple[Keys, Numbers]:
    """Return the positions after these moves, each once, and the sums of their numbers."""
    import numpy as np

    found, values = [keys[:0]], [numbers[:0]]
    for part in boards.each_move(squares):
        made = part != 0
        found.append(boards.played(keys[made], part[made], side))
        values.append(numbers[made])
    after, value = np.concatenate(found), np.concatenate(values)
    order = np.argsort(after, kind="stable")
    after = after[order]
    firsts = np.flatnonzero(np.append(True, after[1:] != after[:-1])[: len(after)])
    if not len(firsts):
        return after, value
    return after[firsts], np.add.reduceat(value[order], firsts)
