"""Minimax: perfect play in small games, a search under a budget in others.

It is exact on every game of at most sixteen plies and first moves, tictactoe and tictactoe-4 among
them: it wins as soon and loses as late as it can, and chance decides between equally good moves. On
larger games it looks ahead ply by ply until it has searched MAX_POSITIONS for the move (fewer where
each takes longer) or seen the end of the game. The result is exact only if it saw a forced win or
loss, or the end. Else the estimate of the position after the move decides between moves of equal
value.

Where chance moves and both sides see all, as in pig, it maximizes what it can expect: see
:mod:`arena.games.expectation`. It looks ahead as far as MAX_EXPECTED_POSITIONS reach.
"""

from __future__ import annotations

import random
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from arena.game import CHANCE, Game, Position
from arena.games.effort import scaled_budget
from arena.games.search import BudgetSpent, Search, is_small, solve
from arena.kinds import one_of, whole
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

#: Positions to search for one move of a game that is not small: enough to draw at (5,5,4) against
#: ``lines``, in less than a second on one shared core there and at connect four.
MAX_SEARCHED_POSITIONS = 30_000

#: The same for a game with luck, whose every position takes longer.
MAX_EXPECTED_POSITIONS = 3_000

#: The plies that it must be able to look ahead in a game with luck: a move and what chance makes
#: of it.
MIN_EXPECTED_PLIES = 2


def choose(
    position: Position,
    rng: random.Random,
    depth: int | None = None,
    budget: int | None = None,
    decay: str = "on",
) -> int:
    """Wins as soon and loses as late as it can."""
    return rng.choice(best_moves(position, depth, budget, decay == "on"))


class SearchResult(NamedTuple):
    """The result of a search: the equally good moves, ascending, and the plies it looked ahead.

    The value is positive for a forced win that it saw, negative for a loss, and 0 otherwise.
    """

    moves: tuple[int, ...]
    plies: int
    value: int


def best_moves(
    position: Position, depth: int | None = None, budget: int | None = None, decay: bool = True
) -> tuple[int, ...]:
    """Return the equally good moves, ascending, as :func:`look` finds them."""
    return look(position, depth, budget, decay).moves


@lru_cache(maxsize=1 << 16)
def look(
    position: Position, depth: int | None = None, budget: int | None = None, decay: bool = True
) -> SearchResult:
    """Look at most ``depth`` plies ahead, within a budget of positions.

    With neither, it solves a small game and takes MAX_POSITIONS for others. Without ``decay`` a
    late win is as good as a soon one.
    """
    if position.has_luck:
        return _expect(position, depth, budget)
    plies_left = position.game.max_plies - position.ply
    horizon = plies_left if depth is None else min(depth, plies_left)
    if budget is None and is_small(position.game) and horizon == plies_left:
        value, moves = solve(position, decay)
        return SearchResult(moves, plies_left, value)
    if budget is None and depth is None:
        budget = scaled_budget(MAX_SEARCHED_POSITIONS, position.game)
    search = Search(budget, decay)
    value, moves = 0, position.legal_moves()
    for plies in range(1, horizon + 1):
        try:
            value, moves = search.best_moves(position, plies)
        except BudgetSpent:
            return SearchResult(most_promising(position, moves), plies - 1, 0)
        if value:  # after a forced win, a deeper search finds nothing better
            return SearchResult(moves, plies, value)
    return SearchResult(
        moves if horizon == plies_left else most_promising(position, moves), horizon, 0
    )


def _expect(position: Position, depth: int | None, budget: int | None) -> SearchResult:
    """Look ahead in a game with luck. Its value is not known in plies."""
    from arena.games.expectation import Expectation

    search = Expectation(budget or MAX_EXPECTED_POSITIONS)
    plies_left = position.game.max_plies - position.ply
    moves, seen = position.legal_moves(), 0
    with suppress(BudgetSpent):
        for plies in range(1, min(depth or plies_left, plies_left) + 1):
            moves, seen = search.best_moves(position, plies), plies
    return SearchResult(moves, seen, 0)


@lru_cache(maxsize=256)
def refuses(game: Game) -> str:
    """Return why it cannot look ahead in a game with luck, empty if it can."""
    position = game.start()
    if not position.has_luck:
        return ""
    while position.to_move == CHANCE:
        position = position.play(position.legal_moves()[0])
    if look(position).plies < MIN_EXPECTED_PLIES:
        return (
            f"chance has too many moves for a search of {MAX_EXPECTED_POSITIONS} positions to look"
            f" {MIN_EXPECTED_PLIES} plies ahead"
        )
    return ""


def most_promising(position: Position, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of the moves after which the position has the best estimate."""
    sign = -1 if position.to_move else 1
    estimates = {move: sign * position.play(move).estimate() for move in moves}
    most = max(estimates.values())
    return tuple(move for move in moves if estimates[move] == most)


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    options = {"depth": whole(1, 400), "budget": whole(1, 10**9), "decay": one_of("on", "off")}
    claims = ("never-loses:tictactoe",)
    games = ("perfect-information", "perfect-information-with-luck")
    register("minimax", choose, games=games, claims=claims, refuses=refuses, options=options)
