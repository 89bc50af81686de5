"""Make exact fractions of probabilities and payoffs, which other libraries have as floats."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

#: The largest denominators that are tried.
_DENOMINATORS = (10_000, 10**9)

#: How far a fraction may be from the library's float.
_EXACT = 1e-12


@lru_cache(1024)
def shares_of(
    outcomes: tuple[tuple[int, float], ...], first: int
) -> tuple[tuple[int, Fraction], ...]:
    """Return the probabilities of chance as fractions that add up to 1, or nothing.

    ``first`` is the number of the first move of chance. Most games have few such tables.
    """
    outcomes = tuple(sorted(outcomes))
    for most in _DENOMINATORS:
        shares = [Fraction(share).limit_denominator(most) for _, share in outcomes]
        if sum(shares) == 1 and all(
            abs(share - given) < _EXACT for share, (_, given) in zip(shares, outcomes, strict=True)
        ):
            moves = [first + action for action, _ in outcomes]
            return tuple(pair for pair in zip(moves, shares, strict=True) if pair[1])
    return ()


@lru_cache(1024)
def fraction_of(number: float) -> Fraction:
    """Return the fraction of a payoff.

    >>> fraction_of(1 / 3)
    Fraction(1, 3)
    """
    for most in _DENOMINATORS:
        fraction = Fraction(number).limit_denominator(most)
        if abs(fraction - Fraction(number)) < _EXACT * max(1, abs(number)):
            return fraction
    return Fraction(number)
