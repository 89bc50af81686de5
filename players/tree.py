"""The player that counts the game tree: how often a move's games are won.

It counts games as if all of them were equally likely, the opponent's blunders and its own too. So
it walks into threats that a good opponent carries out: it can lose when it moves second.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

from arena.game import Position
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

#: Complete games by result: won by the first side, won by the second, drawn.
GameCounts = tuple[int, int, int]


def choose(position: Position, rng: random.Random) -> int:
    """Count the games that each move leads to."""
    me, games = position.to_move, {m: count(position.play(m)) for m in position.legal_moves()}
    # max takes the first of equals, which is the lowest move.
    if any(won[me] for won in games.values()):
        return max(games, key=lambda move: Fraction(games[move][me], sum(games[move])))
    if any(drawn for *_, drawn in games.values()):
        return max(games, key=lambda move: games[move][2])
    return min(games, key=lambda move: games[move][me.other])


def count(position: Position) -> GameCounts:
    """Count the complete games from a position. Symmetric positions have equal counts."""
    return _count(position.canonical())


@cache
def _count(position: Position) -> GameCounts:
    outcome = position.outcome()
    if outcome is not None:
        winner = outcome.winner
        return winner == 0, winner == 1, winner is None
    first, second, drawn = zip(
        *(count(position.play(m)) for m in position.legal_moves()), strict=True
    )
    return sum(first), sum(second), sum(drawn)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("tree", choose, games="tictactoe", deterministic=True)
