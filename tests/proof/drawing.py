"""Players that draw: their distributions, and why one is refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from arena.errors import CannotEnumerate
from arena.games.mnk import MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.proof.distribution import distribution

START = mnk_game(3, 3, 3).start()

Choose = Callable[[Any, random.Random], Any]
Chances = dict[int, Fraction]


def of(choose: Choose, position: MnkPosition = START) -> Chances:
    return distribution(PlayerInfo("subject", choose), position)


def drawing(draw: Callable[[random.Random], Any]) -> Chances:
    """Return the distribution of a player whose move is drawn so, whatever the position."""
    return of(lambda position, rng: draw(rng))


def refusal(choose: Choose, position: MnkPosition = START) -> str:
    with pytest.raises(CannotEnumerate) as caught:
        of(choose, position)
    return str(caught.value)


def shares(moves: list[int]) -> Chances:
    """Each of the list's items as likely as the others."""
    return {move: Fraction(n, len(moves)) for move, n in sorted(Counter(moves).items())}


def shuffled(rng: random.Random, n: int) -> list[int]:
    items = list(range(n))
    rng.shuffle(items)
    return items
