"""Positions for both builds, and the functions in Python of the compiled ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import arena
from arena.core import build, compiled
from arena.game import Position

#: For tests of what a compiler made.
needs_compiled = pytest.mark.skipif(
    compiled("lines") is None, reason=f"this arena is {build()}: pip install -e . with a C compiler"
)

#: Games on machine words: of lines and of discs, misere and with lines of any shape.
OF_LINES = (
    "tictactoe",
    "tictactoe-misere",
    "tictactoe-corners",
    "tictactoe-squares-misere",
    "mnk-2-2-1",
    "mnk-4-4-3",
    "mnk-5-3-3-misere",
    "mnk-5-5-4",
    "mnk-8-8-5",
    "connect4",
    "connect4-misere",
    "connect-5-4-3",
    "connect-1-3-2",
    "connect-4-4-1",
    "connect-8-7-5",
    "connect-4-15-8",
)


def python_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function in Python of a compiled one."""
    python: Callable[..., Any] = vars(function)["__wrapped__"]
    return python


def positions(name: str, games: int, seed: int = 0) -> Iterator[Position]:
    """Yield the positions of some random games, ended ones too."""
    rng, start = random.Random(seed), arena.get_game(name).start()
    for _ in range(games):
        position = start
        yield position
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            yield position
