"""Pearson's chi-square test of counts against known probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, exp, pi, sqrt


def chi_square_p(
    groups: Sequence[tuple[Sequence[int], Sequence[Fraction]]],
) -> float:
    """The probability of counts at least as far from their expectation, by chi-square.

    Each group is a multinomial of its own: how often each of its cells occurred, and the cells'
    probabilities, which add up to one. 0.0 if a cell of probability zero occurred, 1.0 if nothing
    was left to chance. An approximation, good when every expected count is at least about five.

    >>> round(chi_square_p([([60, 40], [Fraction(1, 2)] * 2)]), 4)
    0.0455
    """
    statistic, freedom = 0.0, 0
    for counts, chances in groups:
        total = sum(counts)
        cells = [(n, float(p) * total) for n, p in zip(counts, chances, strict=True) if p]
        if sum(n for n, _ in cells) != total:
            return 0.0
        statistic += sum((n - expected) ** 2 / expected for n, expected in cells if total)
        freedom += max(len(cells) - 1, 0) if total else 0
    return chi_square_sf(statistic, freedom)


def chi_square_sf(x: float, freedom: int) -> float:
    """The probability that a chi-square variable of so many degrees of freedom exceeds x.

    By the recurrence over degrees of freedom in steps of two (Abramowitz and Stegun, 26.4.8).

    >>> round(chi_square_sf(3.841458820694124, 1), 6)
    0.05
    """
    if freedom == 0:
        return 1.0
    if freedom % 2:
        tail, term, at = erfc(sqrt(x / 2)), sqrt(2 * x / pi) * exp(-x / 2), 1
    else:
        tail, term, at = exp(-x / 2), x / 2 * exp(-x / 2), 2
    while at < freedom:
        tail += term
        at += 2
        term *= x / at
    return min(tail, 1.0)
