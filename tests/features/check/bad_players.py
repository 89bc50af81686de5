"""Players that break one promise each."""

from __future__ import annotations

import os
import random
import time
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo


def first_free(position: Position, rng: random.Random) -> int:
    """Break none."""
    return position.legal_moves()[0]


def corner_always(position: Position, rng: random.Random) -> int:
    """Take a square that may be taken."""
    return 0


def rarely_illegal(position: Position, rng: random.Random) -> int:
    """In one of 4096 branches, and only that."""
    return position.legal_moves()[0] if rng.randrange(4096) else 99


def raises_late(position: Position, rng: random.Random) -> int:
    if position.ply == 7:
        raise ZeroDivisionError("late")
    return position.legal_moves()[0]


def exits(position: Position, rng: random.Random) -> int:
    if position.ply == 3:
        os._exit(7)
    return position.legal_moves()[0]


def hangs(position: Position, rng: random.Random) -> int:
    while position.ply == 2:
        time.sleep(0.1)
    return position.legal_moves()[0]


async def is_async(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[0]


def generates(position: Position, rng: random.Random) -> Iterator[int]:
    yield position.legal_moves()[0]


async def generates_later(position: Position, rng: random.Random) -> AsyncIterator[int]:
    yield position.legal_moves()[0]


def unseeded(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    return moves[random.SystemRandom().randrange(len(moves))]


def draws_globally(position: Position, rng: random.Random) -> int:
    return random.choice(position.legal_moves())


def draws_from_numpy(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    return moves[np.random.randint(len(moves))]


_asked = {"times": 0}


def counts(position: Position, rng: random.Random) -> int:
    """Has a state, and says it has none."""
    _asked["times"] += 1
    moves = position.legal_moves()
    return moves[_asked["times"] % len(moves)]


def by_hash(position: Position, rng: random.Random) -> int:
    """Take whatever a set of texts begins with."""
    return int(next(iter({str(move) for move in position.legal_moves()})))


def answers_numpy(position: Position, rng: random.Random) -> Any:
    return np.int64(position.legal_moves()[0])


def answers_text(position: Position, rng: random.Random) -> Any:
    return str(position.legal_moves()[0])


def prints(position: Position, rng: random.Random) -> int:
    print("thinking about", position)
    return position.legal_moves()[0]


def floats(position: Position, rng: random.Random) -> int:
    """Not to be enumerated, and else all right."""
    moves = position.legal_moves()
    return moves[int(rng.random() * len(moves))]


def floats_badly(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    return moves[int(rng.random() * len(moves))] if rng.random() < 0.99 else -1


def tampers_with_the_rules(position: Position, rng: random.Random) -> int:
    vars(position.game)["k"] = 2
    return position.legal_moves()[0]


def patches_the_class(position: Position, rng: random.Random) -> int:
    type(position).cheat = True  # type: ignore[attr-defined]
    return position.legal_moves()[0]


class Quiet:
    """Keeps state and every promise."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, position: Any) -> Any:
        return self.rng.choice(position.legal_moves())

    def observe(self, move: int) -> None:
        pass

    def finish(self, outcome: Outcome) -> None:
        pass


class Brief:
    """Keeps every promise with the two methods that a class must have."""

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, position: Any) -> Any:
        return self.rng.choice(position.legal_moves())


class Learns(Quiet):
    """One game makes another different."""

    games = 0

    def choose(self, position: Any) -> Any:
        moves = position.legal_moves()
        return moves[Learns.games % len(moves)]

    def finish(self, outcome: Outcome) -> None:
        Learns.games += 1


class Async(Quiet):
    async def choose(self, position: Any) -> Any:
        return position.legal_moves()[0]


class CannotStart(Quiet):
    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        raise FileNotFoundError("no book")


class EndsAtStart(Quiet):
    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        os._exit(3)


class IllegalLater(Quiet):
    def choose(self, position: Any) -> Any:
        return 0


def lies(position: Position) -> dict[int, Fraction]:
    """Return a distribution that is another player's."""
    moves = position.legal_moves()
    return {move: Fraction(1, len(moves)) for move in moves}


def player(function: Any, **traits: Any) -> PlayerInfo:
    traits.setdefault("stateless", not isinstance(function, type))
    return PlayerInfo(function.__name__, function, **traits)
