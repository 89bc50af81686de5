"""Minimax: perfect play where the game is small, a search under a budget where it is not.

Exact on every game of at most sixteen plies and first moves, tictactoe and tictactoe-4 among them:
it wins as soon and loses as late as it can, and chance decides between equally good moves. On
larger games it looks ahead ply by ply until it has visited BUDGET positions for the move or seen
the end of the game; what it finds then is exact only if it saw a forced win or loss, or the end.
The budget counts positions and not time, so that the same seed gives the same games anywhere.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache, partial

from arena.game import Position
from arena.markers import hookimpl
from arena.options import read_options, whole
from arena.player import PlayerInfo
from arena.registry import PlayerRegister
from arena.search import BudgetSpent, Search, is_small, solve

#: Positions that are searched for one move of a game that is not small.
BUDGET = 5000


def choose(
    position: Position, rng: random.Random, depth: int | None = None, budget: int | None = None
) -> int:
    """Wins as soon and loses as late as it can."""
    return rng.choice(best_moves(position, depth, budget))


@lru_cache(maxsize=1 << 16)
def best_moves(
    position: Position, depth: int | None = None, budget: int | None = None
) -> tuple[int, ...]:
    """The equally good moves, ascending.

    With neither depth nor budget, games that are small are solved, and BUDGET is for others.
    """
    left = position.game.max_plies - position.ply
    if depth is not None and budget is None:
        return Search().best_moves(position, min(depth, left))[1]
    if budget is None and is_small(position.game):
        return solve(position)[1]
    search, moves = Search(BUDGET if budget is None else budget), position.legal_moves()
    for horizon in range(1, min(left, depth or left) + 1):
        try:
            value, moves = search.best_moves(position, horizon)
        except BudgetSpent:
            break
        if value:  # somebody wins by force: looking further ahead finds nothing better
            break
    return moves


def options(info: PlayerInfo, text: str) -> PlayerInfo:
    """depth=PLIES, budget=POSITIONS."""
    chosen = read_options(info.name, text, {"depth": whole(1, 400), "budget": whole(1, 10**9)})
    return replace(info, player=partial(choose, **chosen))


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("minimax", choose, claims=("never-loses:tictactoe",), options=options)
