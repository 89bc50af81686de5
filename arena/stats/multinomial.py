"""The exact test of counts against known probabilities: it sums all tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from arena.stats.adding import added

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: How often each cell occurred, and the probabilities of the cells, which add up to one.
Sample = tuple[Sequence[int], Sequence[Fraction]]

#: Take two tables for equally probable if their log probabilities differ by less: rounding.
TIE = 1e-7


def number_of_tables(sample: Sample) -> int:
    """Return how many tables have the total of the sample and are possible.

    >>> number_of_tables(([10, 10, 0], [Fraction(1, 3)] * 3))
    231
    """
    counts, chances = sample
    cells = sum(map(bool, chances))
    return comb(sum(counts) + cells - 1, cells - 1)


def multinomial_p(first: Sample, second: Sample) -> float:
    """Return the probability of a pair of tables that is not more probable than this pair.

    The two samples are independent. Combines their tables by sorting, so that the work grows with
    the sum of their two numbers of tables and not with the product. Returns 0.0 if a cell of
    probability zero occurred.

    >>> sure = ([3], [Fraction(1)])
    >>> round(multinomial_p(([0, 3], [Fraction(1, 2)] * 2), sure), 6)
    0.25
    """
    import numpy as np

    if any(n and not p for sample in (first, second) for n, p in zip(*sample, strict=True)):
        return 0.0
    (seen, tables), (other_seen, others) = _tables(first), _tables(second)
    others = np.sort(others)
    at_most = np.concatenate([[0.0], np.cumsum(np.exp(others))])
    # As many of the other sample's tables belong to each table here as leave the pair improbable.
    partners = np.searchsorted(others, seen + other_seen + TIE - tables, side="right")
    return min(1.0, float(np.sum(np.exp(tables) * at_most[partners])))


def _tables(sample: Sample) -> tuple[float, NDArray[np.float64]]:
    """Return the log probability of the sample, and those of all tables of its total."""
    import numpy as np

    cells = [(n, float(p)) for n, p in zip(*sample, strict=True) if p]
    total = sum(n for n, _ in cells)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, total + 1)))])
    weights = [np.arange(total + 1) * np.log(p) - factorials for _, p in cells]
    seen = added(float(weight[n]) for (n, _), weight in zip(cells, weights, strict=True))
    return seen + factorials[total], _sums(weights, total) + factorials[total]


def _sums(weights: Sequence[NDArray[np.float64]], total: int) -> NDArray[np.float64]:
    """Return the sum of one entry of each array, for all choices whose places add up to total."""
    import numpy as np

    first, *rest = weights
    if not rest:
        return first[total : total + 1]
    if len(rest) == 1:
        return first[: total + 1] + rest[0][total::-1]
    return np.concatenate([first[n] + _sums(rest, total - n) for n in range(total + 1)])
