"""The player that scores lines: minimax some plies deep with a value for every open line.

A line with marks of both sides counts 0, an empty one 1, one with n marks of one side 10 to the
power of n: 10, 100, 1000. Lines count for x if they hold x or nothing, against x if they hold o. x
maximises the score and o minimises it. Lines of the side to move count ADVANTAGE times. A finished
game is worth more than any lines, and more the sooner it ends.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arena.game import Side
from arena.games.board import line_totals
from arena.games.mnk import MnkGame, MnkPosition
from arena.kinds import whole
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

if TYPE_CHECKING:
    from arena.player.batches import BatchRandom

#: Factor of the lines of the side to move.
ADVANTAGE = 3

#: Default plies of look-ahead: its own move and the reply.
DEFAULT_DEPTH = 2

#: Floats are exact below this.
EXACT = 2**53

#: Bytes that the search of some boards at once may take for an array, about.
MAX_ARRAY_BYTES = 1 << 24

#: Worth of the open lines of x and of o, and the number of empty ones.
Totals = tuple[int, int, int]


def choose(position: MnkPosition, rng: random.Random, depth: int = DEFAULT_DEPTH) -> int:
    """Search two plies. A line counts 1 to 1000."""
    return rng.choice(best_moves(position, depth))


def choose_batch(positions: Any, rng: BatchRandom) -> Any:
    """Search two plies at many positions at once."""
    from arena.games.boards import PositionBatch  # who asks for batches has NumPy loaded

    is_block = isinstance(positions, PositionBatch)  # not so of a game derived with other rules
    if is_block and won(positions.game.start()) < EXACT:
        return rng.choice(best_of(positions))
    best = [best_moves(position) for position in positions]
    drawn = rng.integers([len(moves) for moves in best]).tolist()
    return [moves[index] for moves, index in zip(best, drawn, strict=True)]


@lru_cache(maxsize=1 << 16)
def best_moves(position: MnkPosition, depth: int = DEFAULT_DEPTH) -> tuple[int, ...]:
    """Return the moves of the highest value, ascending."""
    totals = totals_of(position)
    values: dict[int, int] = {}
    most = -won(position)
    for move in position.free(position.game.by_lines):
        after = totals_after(totals, position, move)
        # The window begins one below the best so far, so that a move that equals the best shows it.
        reply = value(position.play(move), after, depth - 1, -won(position), 1 - most)
        values[move] = -reply
        most = max(most, -reply)
    return tuple(sorted(move for move in values if values[move] == most))


def value(position: MnkPosition, totals: Totals, depth: int, alpha: int, beta: int) -> int:
    """Return the value for the side to move, depth plies ahead. It is a bound outside alpha to
    beta.
    """
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -won(position)
    if not depth:
        return -score(totals, Side.SECOND) if position.to_move else score(totals, Side.FIRST)
    best = -won(position)
    for move in position.free(position.game.by_lines):
        after = totals_after(totals, position, move)
        reply = value(position.play(move), after, depth - 1, -beta, -max(alpha, best))
        best = max(best, -reply)
        if best >= beta:
            break
    return best


def won(position: MnkPosition) -> int:
    """Return more than any lines are worth, and more the fewer marks are on the board."""
    game = position.game
    most: int = ADVANTAGE * len(game.lines) * 10**game.k
    return most + game.max_plies + 1 - position.ply


def score(totals: Totals, to_move: Side) -> int:
    """Return the score of all lines, which x maximises."""
    crosses, noughts, empty = totals
    if to_move:
        return crosses - ADVANTAGE * noughts + empty
    return ADVANTAGE * crosses - noughts + empty


def totals_of(position: MnkPosition) -> Totals:
    """Return the worth of the lines of x and of o, and the number of empty ones."""
    return line_totals(position.game.lines, position.first, position.second)


def totals_after(totals: Totals, position: MnkPosition, move: int) -> Totals:
    """Return the totals after a move, from those before: only the square's lines change."""
    me = position.to_move
    mine, theirs = position.marks(me), position.marks(me.other)
    gained = lost = filled = 0
    for line in _lines_through(position.game)[move]:
        if not line & theirs:
            before = line & mine
            gained += 9 * 10 ** before.bit_count() if before else 10
            filled += not before
        elif not line & mine:
            lost += 10 ** (line & theirs).bit_count()
    crosses, noughts, empty = totals
    if me:
        return crosses - lost, noughts + gained, empty - filled
    return crosses + gained, noughts - lost, empty - filled


def best_of(positions: Any) -> Any:
    """Return what :func:`best_moves` does for a block: bools of shape (positions, squares)."""
    import numpy as np

    best = np.empty_like(positions.legal)
    squares = best.shape[1]
    rows = max(1, MAX_ARRAY_BYTES // (8 * squares * (squares + len(positions.game.lines))))
    for start in range(0, len(best), rows):
        some = slice(start, start + rows)
        boards = positions.mine[some], positions.theirs[some]
        best[some] = _best_rows(positions.game, *boards, positions.to_move[some])
    return best


def _best_rows(game: MnkGame, mine: Any, theirs: Any, to_move: Any) -> Any:
    """Return the best moves of a few boards: see :func:`best_of`.

    My move and the reply change the worth of their lines one by one, and once more together where
    both are on a line. So the score after both is a sum of three terms for each pair of squares.
    """
    import numpy as np

    on = np.array([[line >> s & 1 for s in range(game.squares)] for line in game.lines], float)
    mine_on, theirs_on = mine @ on.T, theirs @ on.T  # marks on each line: (boards, lines)
    sign = np.where(to_move == 0, 1, -1)[:, None]
    worth = [
        [_worth(np, mine_on + more, theirs_on + less, sign) for less in (0, 1)] for more in (0, 1)
    ]
    before, reply, move, both = worth[0][0], worth[0][1], worth[1][0], worth[1][1]
    gains = [(changed - before) @ on for changed in (move, reply)]
    interactions = (both - move - reply + before)[:, None, :] * on.T @ on  # (boards, move, reply)
    after = before.sum(axis=1)[:, None, None] + gains[0][:, :, None] + gains[1][:, None, :]
    after += interactions
    free = ~(mine | theirs)
    plies_left = free.sum(axis=1)
    end = won(game.start()) - (game.squares - plies_left)  # of a win that is on the board now
    wins, losses = (
        ((n == on.sum(1) - 1) & (e == 0)).astype(float) @ on > 0
        for n, e in ((mine_on, theirs_on), (theirs_on, mine_on))
    )
    after[plies_left == 2] = 0
    after = np.where(losses[:, None, :], -(end - 2)[:, None, None], after)
    square = np.arange(game.squares)
    possible = free[:, None, :] & (square[:, None] != square)
    value = np.where(possible, after, np.inf).min(axis=2)
    value[plies_left == 1] = 0
    value = np.where(wins, (end - 1)[:, None], value)
    value = np.where(free, value, -np.inf)
    return value == value.max(axis=1, keepdims=True)


def _worth(np: Any, mine: Any, theirs: Any, sign: Any) -> Any:
    """Return the score of lines with this many marks of mine and theirs, for me, who move next."""
    open_mine = np.where((mine > 0) & (theirs == 0), ADVANTAGE * 10.0**mine, 0)
    open_theirs = np.where((theirs > 0) & (mine == 0), 10.0**theirs, 0)
    return open_mine - open_theirs + np.where((mine == 0) & (theirs == 0), sign, 0)


@lru_cache(maxsize=16)
def _lines_through(game: MnkGame) -> list[tuple[int, ...]]:
    """Return the winning lines through each square."""
    return [tuple(n for n in game.lines if n >> s & 1) for s in range(game.squares)]


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register(
        "lines",
        choose,
        games=("lines-*",),
        options={"depth": whole(1, 400)},
        choose_batch=choose_batch,
    )
