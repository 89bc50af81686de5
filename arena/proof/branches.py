"""Find the bits that begin a stream so that a player's draws take chosen values.

To see a player's move for certain draws, arena begins an ordinary stream with the bits that make
them. The player cannot tell that stream from any other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from arena.errors import CannotEnumerate, numeral
from arena.rng import EXHAUSTED, FLOAT, READY_BITS, Draw, SeenPart
from arena.tracing import FLOAT_BITS, FLOAT_DRAW

#: Largest number of values of a single draw.
MAX_VALUES = 4096

_MASK = (1 << READY_BITS) - 1


class Range(NamedTuple):
    """Some values of a draw: those from ``low`` to ``high`` - 1."""

    #: An int or weights, as a stream notes them.
    draw: Draw
    low: int
    high: int

    @property
    def chance(self) -> Fraction:
        """The probability that the draw takes one of these values."""
        if isinstance(self.draw, int):
            return _share(self.high - self.low, size_of(self.draw))
        return chances_of(self.draw)[self.low]

    def a_value(self) -> int:
        """Return one of the values: the system draws it, so that no player can foresee it."""
        if self.high - self.low == 1:
            return self.low
        drawn = int.from_bytes(os.urandom(READY_BITS // 8), "little")
        return self.low + drawn % (self.high - self.low)

    def without(self, seen: Range, is_used: bool) -> Iterator[Range]:
        """Yield the other values: one by one if the player has used the value, not compared it."""
        if is_used:
            chances = chances_of(self.draw)
            others = (v for v in range(self.low, self.high) if v != seen.low and chances[v])
            yield from (Range(self.draw, value, value + 1) for value in others)
            return
        for low, high in ((self.low, seen.low), (seen.high, self.high)):
            if low < high:
                yield Range(self.draw, low, high)


#: Ranges of a player's draws, from the first on.
DrawRanges = tuple[Range, ...]


class Branch(NamedTuple):
    """A player's move in one position, and the draws that it made for the move.

    The move is the same for all values in the range of a :class:`arena.rng.SeenPart`.
    """

    draws: tuple[Draw, ...]
    #: Value of each draw, from 0.
    values: tuple[int, ...]
    move: int

    @property
    def chance(self) -> Fraction:
        """The probability that the draws take these values."""
        if len(self.draws) == 1:
            return self.path[0].chance
        chance = Fraction(1)
        for values in self.path:
            chance *= values.chance
        return chance

    @property
    def path(self) -> DrawRanges:
        """The ranges of values with which the player does the same."""
        return tuple(
            Range(*draw) if isinstance(draw, SeenPart) else Range(draw, value, value + 1)
            for draw, value in zip(self.draws, self.values, strict=True)
        )

    @property
    def plain_draws(self) -> tuple[Draw, ...]:
        """The draws as a stream notes them that is not traced."""
        return tuple(
            (FLOAT if draw.draw == FLOAT_DRAW else draw.draw)
            if isinstance(draw, SeenPart)
            else draw
            for draw in self.draws
        )


def chances_of(draw: Draw) -> Sequence[Fraction]:
    """Return the probability of each value of a draw. Raises CannotEnumerate for too many."""
    if isinstance(draw, str):
        raise CannotEnumerate(draw)
    if isinstance(draw, SeenPart):  # a player may forge it
        raise CannotEnumerate("it says how it uses a draw, which this count is not about")
    if isinstance(draw, tuple):
        total = Fraction(sum(draw))
        return [weight / total for weight in draw]
    values = size_of(draw)
    if values > MAX_VALUES:
        most = f"(at most {MAX_VALUES})"
        raise CannotEnumerate(f"it draws one of {numeral(values)} values at once {most}")
    return _uniform(values)


def require_followed(draw: Draw) -> None:
    """Raise CannotEnumerate if an enumeration cannot follow a draw."""
    if not isinstance(draw, SeenPart):
        chances_of(draw)


def size_of(draw: int) -> int:
    """Return how many values a draw has whose values are equally likely."""
    return draw if draw > 0 else 1 << min(-draw, READY_BITS)


@cache
def _share(values: int, size: int) -> Fraction:
    return Fraction(values, size)


@cache
def _uniform(n: int) -> tuple[Fraction, ...]:
    return (Fraction(1, n),) * n


def stream_number(drawn: Iterable[tuple[Draw, int]]) -> int:
    """Return a number that begins a stream with these draws. Later ones are random.

    The rest comes from the system: a player that knew it could detect its enumeration. Raises
    CannotEnumerate if a stream has too few bits for the draws.
    """
    bits = offset = 0
    for noted_draw, value in drawn:
        draw = _plain(noted_draw)
        bits |= _bits(draw, value) << offset
        offset += _width(draw)
    if offset > READY_BITS:
        raise CannotEnumerate(EXHAUSTED)
    return bits | int.from_bytes(os.urandom(READY_BITS // 8), "little") << offset & _MASK


def values_of(number: int, draws: Sequence[Draw]) -> tuple[int, ...]:
    """Return the values of these draws from a stream that the number began."""
    values = []
    for draw in map(_plain, draws):
        width = _width(draw)
        value = number & (1 << width) - 1
        number >>= width
        while isinstance(draw, int) and 0 < draw <= value:  # the generator rejects such a value
            value = number & (1 << width) - 1
            number >>= width
        values.append(_place(draw, value) if isinstance(draw, tuple) else value)
    return tuple(values)


def _plain(draw: Draw) -> int | tuple[Fraction, ...] | str:
    """Return a draw as a stream notes it that is not traced. A float is the bits that it has."""
    return draw.draw if isinstance(draw, SeenPart) else draw


def _width(draw: int | tuple[Fraction, ...] | str) -> int:
    """Return how many bits a draw takes from a stream at once."""
    if isinstance(draw, int):
        return draw.bit_length() if draw > 0 else -draw
    return FLOAT_BITS


def _bits(draw: int | tuple[Fraction, ...] | str, value: int) -> int:
    """Return the bits that make a draw take a value, for weights the middle of its interval."""
    if not isinstance(draw, tuple):
        return value
    ends = [Fraction(0), *accumulate(draw)]
    return int((ends[value] + ends[value + 1]) / 2 / ends[-1] * (1 << FLOAT_BITS))


def _place(weights: tuple[Fraction, ...], bits: int) -> int:
    """Return the value of ``choices`` for a float with these bits."""
    drawn = Fraction(bits, 1 << FLOAT_BITS) * sum(weights, Fraction(0))
    return next(i for i, end in enumerate(accumulate(weights)) if drawn < end)
