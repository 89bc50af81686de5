"""Find the bits that begin a stream so that a player's draws take chosen values.

To see a player's move for certain draws, arena begins an ordinary stream with the bits that make
them. The player cannot tell that stream from any other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from arena.errors import CannotEnumerate, numeral
from arena.rng import EXHAUSTED, READY_BITS, Draw

#: Largest number of values of a single draw.
MAX_VALUES = 4096

#: Bits of the float that ``choices`` draws.
_FLOAT_BITS = 53

_MASK = (1 << READY_BITS) - 1


class Branch(NamedTuple):
    """A player's move in one position, and the draws that it made for the move."""

    draws: tuple[Draw, ...]
    #: Value of each draw, from 0.
    values: tuple[int, ...]
    move: int

    @property
    def chance(self) -> Fraction:
        """The probability that the draws take these values."""
        if len(self.draws) == 1:
            return chances_of(self.draws[0])[self.values[0]]
        chance = Fraction(1)
        for draw, value in zip(self.draws, self.values, strict=True):
            chance *= chances_of(draw)[value]
        return chance


def chances_of(draw: Draw) -> Sequence[Fraction]:
    """Return the probability of each value of a draw. Raises CannotEnumerate for too many."""
    if isinstance(draw, str):
        raise CannotEnumerate(draw)
    if isinstance(draw, tuple):
        total = sum(draw, Fraction(0))
        return [weight / total for weight in draw]
    values = draw if draw > 0 else 1 << min(-draw, READY_BITS)
    if values > MAX_VALUES:
        most = f"(at most {MAX_VALUES})"
        raise CannotEnumerate(f"it draws one of {numeral(values)} values at once {most}")
    return _uniform(values)


@cache
def _uniform(n: int) -> tuple[Fraction, ...]:
    return (Fraction(1, n),) * n


def stream_number(drawn: Iterable[tuple[Draw, int]]) -> int:
    """Return a number that begins a stream with these draws. Later ones are random.

    The rest comes from the system: a player that knew it could detect its enumeration. Raises
    CannotEnumerate if a stream has too few bits for the draws.
    """
    bits = offset = 0
    for draw, value in drawn:
        bits |= _bits(draw, value) << offset
        offset += _width(draw)
    if offset > READY_BITS:
        raise CannotEnumerate(EXHAUSTED)
    return bits | int.from_bytes(os.urandom(READY_BITS // 8), "little") << offset & _MASK


def values_of(number: int, draws: Sequence[Draw]) -> tuple[int, ...]:
    """Return the values of these draws from a stream that the number began."""
    values = []
    for draw in draws:
        width = _width(draw)
        value = number & (1 << width) - 1
        number >>= width
        while isinstance(draw, int) and 0 < draw <= value:  # the generator rejects such a value
            value = number & (1 << width) - 1
            number >>= width
        values.append(_place(draw, value) if isinstance(draw, tuple) else value)
    return tuple(values)


def _width(draw: Draw) -> int:
    """Return how many bits a draw takes from a stream at once."""
    if isinstance(draw, int):
        return draw.bit_length() if draw > 0 else -draw
    return _FLOAT_BITS


def _bits(draw: Draw, value: int) -> int:
    """Return the bits that make a draw take a value, for weights the middle of its interval."""
    if not isinstance(draw, tuple):
        return value
    ends = [Fraction(0), *accumulate(draw)]
    return int((ends[value] + ends[value + 1]) / 2 / ends[-1] * (1 << _FLOAT_BITS))


def _place(weights: tuple[Fraction, ...], bits: int) -> int:
    """Return the value of ``choices`` for a float with these bits."""
    drawn = Fraction(bits, 1 << _FLOAT_BITS) * sum(weights, Fraction(0))
    return next(i for i, end in enumerate(accumulate(weights)) if drawn < end)
