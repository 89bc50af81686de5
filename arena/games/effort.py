"""Count how much work a search has with a position of a game: the same number on any machine.

A clock would give other moves on another machine. So the instructions of Python are counted that
a search executes, on a few positions of a seeded random game, and calls of compiled libraries count
as many. Small differences, as between versions of Python, seldom change what is made of it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import lru_cache
from types import FrameType
from typing import Any

from arena.game import Game, Position
from arena.games.search import BudgetSpent, Search

#: Plies after which a position of the random game is searched.
SAMPLED = (0, 8, 16)

#: Positions to search at each.
BUDGET = 4

#: Instructions that a call of a function counts as that is not Python's own: some 2 microseconds.
FOREIGN = 20


@lru_cache(maxsize=64)
def effort(game: Game) -> int:
    """Return the instructions for a position of the game in a search, on average.

    A first search does not count: it fills the caches of the game, which other games may have
    filled already.
    """
    positions = _sample(game)
    for position in positions:
        _search(position)
    return sum(_instructions(position) for position in positions) // (len(positions) * BUDGET)


def _sample(game: Game) -> list[Position]:
    """Return positions of a random game."""
    rng, position, found = random.Random(1), game.start(), []
    for ply in range(SAMPLED[-1] + 1):
        if position.outcome() is not None:
            break
        if ply in SAMPLED:
            found.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return found


def _search(position: Position) -> None:
    search = Search(BUDGET)
    try:
        for depth in range(1, position.game.max_plies - position.ply + 1):
            search.best_moves(position, depth)
    except BudgetSpent:
        pass


def _instructions(position: Position) -> int:
    """Return the instructions that a search at the position executes."""
    number = 0

    def trace(_: FrameType, event: str, __: object) -> Callable[..., Any]:
        nonlocal number
        if event == "line":
            number += 1
        return trace

    def profile(_: FrameType, event: str, function: object) -> None:
        nonlocal number
        module = getattr(function, "__module__", None) if event == "c_call" else None
        if module and module.partition(".")[0] not in sys.stdlib_module_names:
            number += FOREIGN

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(trace)
    sys.setprofile(profile)
    try:
        _search(position)
    finally:
        sys.setprofile(before[1])
        sys.settrace(before[0])
    return number
