"""Minimax: perfect play where the game is small, a search under a budget where it is not.

Exact on every game of at most sixteen plies and first moves, tictactoe and tictactoe-4 among them:
it wins as soon and loses as late as it can, and chance decides between equally good moves. On
larger games it looks ahead ply by ply until it has visited BUDGET positions for the move or seen
the end of the game; what it finds then is exact only if it saw a forced win or loss, or the end.
The budget counts positions and not time, so that the same seed gives the same games anywhere.
"""

from __future__ import annotations

import random
from functools import lru_cache

from arena.game import Position
from arena.markers import hookimpl
from arena.registry import PlayerRegister
from arena.search import BudgetSpent, Search, is_small, solve

#: Positions that are searched for one move of a game that is not small.
BUDGET = 5000


def choose(position: Position, rng: random.Random) -> int:
    """Wins as soon and loses as late as it can."""
    return rng.choice(best_moves(position))


@lru_cache(maxsize=1 << 16)
def best_moves(position: Position) -> tuple[int, ...]:
    """The equally good moves, ascending."""
    if is_small(position.game):
        return solve(position)[1]
    left = position.game.max_plies - position.ply
    search, moves = Search(BUDGET), position.legal_moves()
    for depth in range(1, left + 1):
        try:
            value, moves = search.best_moves(position, depth)
        except BudgetSpent:
            break
        if value:  # somebody wins by force: looking further ahead finds nothing better
            break
    return moves


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("minimax", choose, claims=("never-loses:tictactoe",))
