"""Players that need no thought, and what some declare of themselves."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import arena
from arena.game import Position
from arena.player import PlayerInfo
from arena.players import triples


def lowest(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[0]


def last(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[-1]


def anything(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def clumsy(position: Position, rng: random.Random) -> int:
    """Raise, answer with anything, and now and then with a move."""
    if rng.random() < 0.1:
        raise ZeroDivisionError("oh \udcff")
    return rng.choice([*position.legal_moves(), -1, 99])


def perfect_moves(position: Position) -> Mapping[int, Fraction]:
    """Declare what triples does."""
    return arena.distribution(PlayerInfo("triples", triples.choose), position)


def uniform(position: Position) -> Mapping[int, Fraction]:
    """Declare what the monkey does."""
    legal = position.legal_moves()
    return dict.fromkeys(legal, Fraction(1, len(legal)))
