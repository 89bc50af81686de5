"""The player that scores lines: minimax some plies deep with a value for every open line.

A line with marks of both sides counts 0, an empty one 1, one with n marks of one side 10 to the
power of n: 10, 100, 1000. Lines count for x if they hold x or nothing, against x if they hold o. x
maximises the score and o minimises it; lines of the side to move count ADVANTAGE times. A finished
game is worth more than any lines, and more the sooner it ends.
"""

from __future__ import annotations

import random
from functools import lru_cache

from arena.game import Side
from arena.games.board import line_totals
from arena.games.mnk import MnkGame, MnkPosition
from arena.player.kinds import whole
from arena.plugin.markers import hookimpl
from arena.plugin.registry import PlayerRegister

#: Factor of the lines of the side to move.
ADVANTAGE = 3

#: Default plies of look-ahead: its own move and the reply.
DEPTH = 2

#: Worth of the open lines of x and of o, and the number of empty ones.
Totals = tuple[int, int, int]


def choose(position: MnkPosition, rng: random.Random, depth: int = DEPTH) -> int:
    """Search two plies; a line counts 1 to 1000."""
    return rng.choice(best_moves(position, depth))


@lru_cache(maxsize=1 << 16)
def best_moves(position: MnkPosition, depth: int = DEPTH) -> tuple[int, ...]:
    """Return the moves of the highest value, ascending."""
    totals = totals_of(position)
    values: dict[int, int] = {}
    most = -won(position)
    for move in position.free(position.game.by_lines):
        after = totals_after(totals, position, move)
        # The window begins one below the best so far, so that a move that equals the best shows it.
        found = value(position.play(move), after, depth - 1, -won(position), 1 - most)
        values[move] = -found
        most = max(most, -found)
    return tuple(sorted(move for move in values if values[move] == most))


def value(position: MnkPosition, totals: Totals, depth: int, alpha: int, beta: int) -> int:
    """Return the value for the side to move, depth plies ahead; a bound outside alpha to beta."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -won(position)
    if not depth:
        return -score(totals, Side.SECOND) if position.to_move else score(totals, Side.FIRST)
    best = -won(position)
    for move in position.free(position.game.by_lines):
        after = totals_after(totals, position, move)
        found = value(position.play(move), after, depth - 1, -beta, -max(alpha, best))
        best = max(best, -found)
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
    gained = lost = taken = 0
    for line in _lines_through(position.game)[move]:
        if not line & theirs:
            before = line & mine
            gained += 9 * 10 ** before.bit_count() if before else 10
            taken += not before
        elif not line & mine:
            lost += 10 ** (line & theirs).bit_count()
    crosses, noughts, empty = totals
    if me:
        return crosses - lost, noughts + gained, empty - taken
    return crosses + gained, noughts - lost, empty - taken


@lru_cache(maxsize=16)
def _lines_through(game: MnkGame) -> list[tuple[int, ...]]:
    """Return the winning lines through each square."""
    return [tuple(n for n in game.lines if n >> s & 1) for s in range(game.squares)]


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("lines", choose, games=("lines-*",), options={"depth": whole(1, 400)})
