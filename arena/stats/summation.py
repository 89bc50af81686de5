"""Add floats alike on every Python, so that a seed gives the same bytes there."""

from __future__ import annotations

from collections.abc import Iterable


def added(values: Iterable[float]) -> float:
    """Return the sum of floats, rounded after each: from Python 3.12 on ``sum`` rounds otherwise.

    >>> added([0.1] * 10)
    0.9999999999999999
    """
    total = 0.0
    for value in values:
        total += value
    return total
