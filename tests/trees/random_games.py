"""Small games drawn at random, with luck, secrets and perfect recall, and their brute force.

The rules follow from a seed: who moves at each ply, how many moves there are, who sees which, and
what each end pays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from arena.game import CHANCE, Payoffs, Position, Side
from arena.games.view import View
from arena.games.words import WordGame, WordPosition

_PLIES, _MOST, _HIDDEN = 4, 3, 3


class Ply(NamedTuple):
    """What happens at a ply: who moves, with which probabilities for chance, and who sees it."""

    seat: int
    chances: tuple[Fraction, ...]
    seen_by: tuple[bool, bool]


class RandomPosition(WordPosition):
    """The moves so far."""

    __slots__ = ()

    @property
    def _ply(self) -> Ply:
        plan: tuple[Ply, ...] = self.game.plan
        return plan[min(self.ply, len(plan) - 1)]

    @property
    def to_move(self) -> Side:
        return CHANCE if self._ply.seat == CHANCE else Side(self._ply.seat)

    def legal_moves(self) -> tuple[int, ...]:
        is_over = self.ply == len(self.game.plan)
        return () if is_over else tuple(range(len(self._ply.chances)))

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        return tuple(enumerate(self._ply.chances))

    def payoffs(self) -> tuple[Fraction, ...] | None:
        if self.ply < len(self.game.plan):
            return None
        first = Fraction(random.Random(f"{self.game.name} {self.moves}").randint(-6, 6), 2)
        return first, -first


class SecretPosition(RandomPosition):
    """The same, and not everybody sees each move."""

    __slots__ = ()

    def observation(self, seat: int) -> View:
        plan: tuple[Ply, ...] = self.game.plan
        seen = [
            move if ply.seat == seat or ply.seen_by[seat] else _HIDDEN
            for move, ply in zip(self.moves, plan, strict=False)
        ]
        return self.view(seat, tuple(seen))


class RandomGame(WordGame):
    """A game of a seed."""

    words = ("a", "b", "c", "?")
    payoffs = Payoffs(Fraction(-3), Fraction(3), "chips", Fraction(0))
    max_plies = _PLIES + 1

    def __init__(self, seed: int, has_secrets: bool = True) -> None:
        self.name = f"random-{seed}"
        rng = random.Random(seed)
        seats = [CHANCE, 0, 1, *rng.choices([CHANCE, 0, 1], k=_PLIES - 3)]
        rng.shuffle(seats)
        self.plan = tuple(Ply(seat, _chances(rng), _watchers(rng)) for seat in seats)
        self._has_secrets = has_secrets

    def start(self) -> WordPosition:
        return (SecretPosition if self._has_secrets else RandomPosition)(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return RandomGame, (int(self.name.removeprefix("random-")), self._has_secrets)


def _chances(rng: random.Random) -> tuple[Fraction, ...]:
    parts = [rng.randint(1, 4) for _ in range(rng.randint(2, _MOST))]
    return tuple(Fraction(part, sum(parts)) for part in parts)


def _watchers(rng: random.Random) -> tuple[bool, bool]:
    return rng.random() < 0.5, rng.random() < 0.5


#: The probability of each move, by what a seat knows.
Strategy = Mapping[Any, Mapping[int, Fraction]]


def random_strategy(game: WordGame, seat: int, rng: random.Random) -> Strategy:
    """Draw the probabilities of every move of a seat, some of them 0."""
    strategy = {}
    for seen, moves in sets_of(game, seat).items():
        parts = [rng.randint(0, 2) for _ in moves]
        parts[rng.randrange(len(parts))] += 1
        strategy[seen] = {
            move: Fraction(part, sum(parts))
            for move, part in zip(moves, parts, strict=True)
            if part
        }
    return strategy


def sets_of(game: WordGame, seat: int) -> dict[Any, tuple[int, ...]]:
    """Return the legal moves at each information set of a seat."""
    results, waiting = {}, [game.start()]
    while waiting:
        position = waiting.pop()
        moves = position.legal_moves()
        if moves and position.to_move == seat:
            results[position.observation(seat)] = moves
        waiting += [position.play(move) for move in moves]
    return results


def pure_strategies(game: WordGame, seat: int) -> Iterator[Strategy]:
    """Yield every strategy of a seat that leaves nothing to chance."""
    sets = sets_of(game, seat)
    for choice in product(*sets.values()):
        yield {seen: {move: Fraction(1)} for seen, move in zip(sets, choice, strict=True)}


def number_of_pure(game: WordGame, seat: int) -> int:
    """Return their number."""
    number = 1
    for moves in sets_of(game, seat).values():
        number *= len(moves)
    return number


def open_value(position: Position) -> Fraction:
    """Return what perfect play pays the first seat of a game that hides nothing."""
    payoffs = position.payoffs()
    if payoffs is not None:
        return payoffs[0]
    after = {move: open_value(position.play(move)) for move in position.legal_moves()}
    if position.to_move == CHANCE:
        return sum((p * after[move] for move, p in position.chance_moves()), Fraction(0))
    return (min if position.to_move else max)(after.values())


def paid(position: WordPosition, strategies: tuple[Strategy, Strategy]) -> Fraction:
    """Return what the first seat gets on average, by the definition alone."""
    payoffs = position.payoffs()
    if payoffs is not None:
        return payoffs[0]
    seat = position.to_move
    if seat == CHANCE:
        shares = dict(position.chance_moves())
    else:
        shares = dict(strategies[seat][position.observation(seat)])
    return sum(
        (p * paid(position.play(move), strategies) for move, p in shares.items()), Fraction(0)
    )
