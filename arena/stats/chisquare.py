"""Pearson's chi-square test of counts against known probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, exp, inf, lgamma, log, sqrt

from arena.errors import UsageError
from arena.stats.summation import added


def chi_square_p(
    groups: Sequence[tuple[Sequence[int], Sequence[Fraction]]],
) -> float:
    """Return the probability of counts at least as far from their expectation, by chi-square.

    Each group is a multinomial of its own: how often each of its cells occurred, and the cells'
    probabilities, which add up to one. The result is 0.0 if a cell of probability zero occurred,
    and 1.0 if nothing was left to chance. It approximates well if every expected count is about
    five or more.

    >>> round(chi_square_p([([60, 40], [Fraction(1, 2)] * 2)]), 4)
    0.0455
    """
    statistic, freedom = 0.0, 0
    for counts, chances in groups:
        total = sum(counts)
        cells = [(n, float(p) * total) for n, p in zip(counts, chances, strict=True) if float(p)]
        if sum(n for n, _ in cells) != total:
            return 0.0
        statistic += added((n - expected) ** 2 / expected for n, expected in cells if total)
        freedom += max(len(cells) - 1, 0) if total else 0
    return chi_square_sf(statistic, freedom)


def chi_square_sf(x: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with ``freedom`` degrees exceeds x.

    The recurrence runs over degrees of freedom in steps of two (Abramowitz and Stegun, 26.4.8),
    with its terms in logarithms: with many degrees of freedom the first ones are below what floats
    hold. Raises UsageError for an impossible x or number of degrees.

    >>> round(chi_square_sf(3.841458820694124, 1), 6)
    0.05
    """
    if not x >= 0 or freedom < 0:
        raise UsageError(f"there is no chi-square of {x} with {freedom} degrees of freedom")
    half = x / 2
    if freedom == 0 or half == 0 or x == inf:
        return float(x < inf)
    tail = erfc(sqrt(half)) if freedom % 2 else 0.0
    for twice in range(freedom % 2, freedom, 2):
        tail += exp(twice / 2 * log(half) - half - lgamma(twice / 2 + 1))
    return min(tail, 1.0)
