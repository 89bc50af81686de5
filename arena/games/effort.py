"""Scale the budget of a search down where a position of the game is much work.

A clock would give other moves on another machine. So arena counts what a search does with a few
positions of a seeded random game: the lines of Python that it executes, and the calls of compiled
libraries. The budget is halved once or several times, and not set to a fraction, for another
version of Python may count a few lines more.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from functools import lru_cache
from types import FrameType
from typing import Any

from arena.core import by_python
from arena.game import Game, Position
from arena.games.line_game import LinePosition
from arena.games.search import BudgetSpent, Search

#: Games of lines of at most this many plies get the whole of a budget.
MAX_UNSCALED_PLIES = 64

#: Other games of less work than this do.
MAX_UNSCALED_EFFORT = 1000

#: Plies after which a position of the random game is searched.
SAMPLED = (0, 8, 16)

#: Positions to search from each.
SEARCHED = 4

#: Lines that a call of a compiled function counts as, unless Python itself has it: 2 microseconds.
FOREIGN = 20


def scaled_budget(budget: int, game: Game) -> int:
    """Return the part of a budget of positions that takes a search about as long at any game.

    In a game of lines the time grows with the board. For others :func:`effort` decides.

    >>> from arena.games.mnk import mnk_game
    >>> [scaled_budget(30_000, mnk_game(n, n, 5)) for n in (5, 10, 20)]
    [30000, 19200, 4800]
    """
    if isinstance(game.start(), LinePosition):
        return budget * MAX_UNSCALED_PLIES // max(MAX_UNSCALED_PLIES, game.max_plies)
    return max(1, budget >> (effort(game) // MAX_UNSCALED_EFFORT).bit_length())


@lru_cache(maxsize=64)
def effort(game: Game) -> int:
    """Return the lines that a search executes for a position of the game, on average.

    A first search does not count: it fills the caches of the game, which an earlier contest may
    have filled already. Twins of its methods do not count either, so that a search has the same
    budget in every build. A game with other compiled functions declares its effort.
    """
    if game.effort:
        return game.effort
    with by_python(type(game.start())):
        positions = _sample(game)
        for position in positions:
            _search(position)
        return sum(map(_lines, positions)) // (len(positions) * SEARCHED)


def _sample(game: Game) -> list[Position]:
    """Return positions of a random game."""
    rng, position, positions = random.Random(1), game.start(), []
    for ply in range(SAMPLED[-1] + 1):
        if position.outcome() is not None:
            break
        if ply in SAMPLED:
            positions.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return positions


def _search(position: Position) -> None:
    search = Search(SEARCHED)
    try:
        for depth in range(1, position.game.max_plies - position.ply + 1):
            search.best_moves_by_python(position, depth)
    except BudgetSpent:
        pass


def _lines(position: Position) -> int:
    """Return the lines that a search from the position executes.

    It pauses the garbage collector: callbacks of the collector execute lines too.
    """
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

    before, collects = (sys.gettrace(), sys.getprofile()), gc.isenabled()
    gc.disable()
    sys.settrace(trace)
    sys.setprofile(profile)
    try:
        _search(position)
    finally:
        sys.setprofile(before[1])
        sys.settrace(before[0])
        if collects:
            gc.enable()
    return number
