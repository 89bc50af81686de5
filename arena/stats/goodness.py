"""The goodness of fit of a sample: choose a test that is valid for its expected counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from arena.dataclass import dataclass
from arena.stats.binomial import tail_p
from arena.stats.chisquare import chi_square_p
from arena.stats.summation import added

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The chi-square approximation needs expected counts of at least this.
MIN_EXPECTED = 5

#: The exact test sums at most this many tables of a sample: under a second, and 100 MB.
MAX_SUMMED_TABLES = 2_000_000


@dataclass(frozen=True)
class Fit:
    """A p-value, and the name of the test that it comes from."""

    p_value: float
    #: ``chi-square``, ``exact multinomial`` or ``binomial and chi-square``.
    test: str


def goodness_of_fit(first: CellSample, second: CellSample) -> Fit:
    """Test two independent samples together against the probabilities of their cells.

    - Chi-square, if every expected count is 5 or more.
    - The exact multinomial test, if a sample has at most ``MAX_SUMMED_TABLES`` possible tables.
    - Else an exact binomial test of every cell whose expected count is below 5, and one chi-square
      test of the other cells. The p-value is the smallest of theirs times their number
      (Bonferroni), so it is never too small, and mostly too large.

    >>> from fractions import Fraction
    >>> half = [Fraction(1, 2)] * 2
    >>> goodness_of_fit(([60, 40], half), ([0, 4], half)).test
    'exact multinomial'
    """
    samples = [sample for sample in (first, second) if any(sample[0])]
    if not any(map(_has_small_cell, samples)):
        return Fit(chi_square_p(samples), "chi-square")
    if all(number_of_tables(sample) <= MAX_SUMMED_TABLES for sample in samples):
        return Fit(multinomial_p(first, second), "exact multinomial")
    return Fit(_bonferroni_p(samples), "binomial and chi-square")


def goodness_of_fit_of_each(first: CellSample, second: CellSample) -> Fit:
    """Test two samples that may depend on each other, one by one.

    The p-value is the smaller of the two times two (Bonferroni).
    """
    none: CellSample = [0], [Fraction(1)]
    fit = min((goodness_of_fit(sample, none) for sample in (first, second)), key=_p_value)
    return Fit(min(1.0, 2 * fit.p_value), f"{fit.test} (the smaller of two, times two)")


def _p_value(fit: Fit) -> float:
    return fit.p_value


def _has_small_cell(sample: CellSample) -> bool:
    counts, chances = sample
    return any(0 < p < 1 and _is_small(sum(counts), p) for p in chances)


def _is_small(total: int, chance: Fraction) -> bool:
    return total * chance < MIN_EXPECTED


def _bonferroni_p(samples: Sequence[CellSample]) -> float:
    """Test small cells one by one and the others together. Return the corrected p-value."""
    values: list[float] = []
    others: list[CellSample] = []
    for counts, chances in samples:
        total = sum(counts)
        cells = [(n, p) for n, p in zip(counts, chances, strict=True) if n or p]
        small = [(n, p) for n, p in cells if _is_small(total, p)]
        large = [(n, p) for n, p in cells if not _is_small(total, p)]
        values += [tail_p(n, total, float(p)) for n, p in small]
        share = sum((p for _, p in large), Fraction(0))
        others.append(([n for n, _ in large], [p / share for _, p in large]))
    values.append(chi_square_p(others))
    return min(1.0, len(values) * min(values))


#: How often each cell occurred, and the probabilities of the cells, which add up to one.
CellSample = tuple[Sequence[int], Sequence[Fraction]]

#: Take two tables for equally probable if their log probabilities differ by less: rounding.
TIE = 1e-7


def number_of_tables(sample: CellSample) -> int:
    """Return how many tables have the total of the sample and are possible.

    >>> number_of_tables(([10, 10, 0], [Fraction(1, 3)] * 3))
    231
    """
    counts, chances = sample
    cells = sum(map(bool, chances))
    return comb(sum(counts) + cells - 1, cells - 1)


def multinomial_p(first: CellSample, second: CellSample) -> float:
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


def _tables(sample: CellSample) -> tuple[float, NDArray[np.float64]]:
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
