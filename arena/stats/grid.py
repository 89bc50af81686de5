"""Check and regularise the table of how often each score occurred.

The scores of a table with K cells are i/(K-1) unless they are given. Given scores rise from the
worst that an observation can have to the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from arena.errors import UsageError
from arena.stats.summation import added

#: Counts below this can be squared and added up in floating point.
MAX_COUNT = 1e100

#: Observations of the worst and of the best score that Jeffreys' prior adds to a table.
JEFFREYS = 0.5


def scores(counts: Sequence[float], given: Sequence[float] | None = None) -> list[float]:
    """Return the scores of a table's cells, the ``given`` ones if there are any.

    Raises UsageError if the counts are not a table, or the scores are not as many and rising.

    >>> scores([7, 1, 2])
    [0.0, 0.5, 1.0]
    """
    if len(counts) < 2 or not all(0 <= count < MAX_COUNT for count in counts):
        raise UsageError(f"counts {list(counts)} must be two or more numbers, none negative")
    if given is None:
        return [i / (len(counts) - 1) for i in range(len(counts))]
    if len(given) != len(counts) or not all(low < high for low, high in pairwise(given)):
        raise UsageError(f"scores {list(given)} must be {len(counts)} rising numbers")
    return list(map(float, given))


def moments(
    counts: Sequence[float], given: Sequence[float] | None = None
) -> tuple[float, float, float]:
    """Return the number of observations, their mean score, and its variance: zeros without any.

    >>> moments([1, 0, 1])
    (2.0, 0.5, 0.25)
    """
    values = scores(counts, given)
    total = added(counts)
    if not total:
        return 0.0, 0.0, 0.0
    mean = added(c * a for c, a in zip(counts, values, strict=True)) / total
    if sum(map(bool, counts)) == 1:
        return total, mean, 0.0  # which the sum below may miss by a rounding error
    variance = added(c * (a - mean) ** 2 for c, a in zip(counts, values, strict=True)) / total
    return total, mean, variance


def padded(counts: Sequence[float], extra: float) -> list[float]:
    """Regularise a table: add ``extra`` observations of the worst score and of the best.

    With ``JEFFREYS`` this is Jeffreys' prior of a probability (Brown, Cai and DasGupta, "Interval
    Estimation for a Binomial Proportion", Statistical Science 16, 2001), with z²/2 the adjustment
    of Agresti and Coull (see :mod:`arena.stats.interval`).

    >>> padded([0, 0, 7], JEFFREYS)
    [0.5, 0.0, 7.5]
    """
    first, *inner, last = map(float, counts)
    return [first + extra, *inner, last + extra]
