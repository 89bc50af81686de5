"""The goodness of fit of a sample: choose a test that is valid for its expected counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from arena.stats.binomial import tail_p
from arena.stats.chisquare import chi_square_p
from arena.stats.multinomial import Sample, multinomial_p, number_of_tables

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


def goodness_of_fit(first: Sample, second: Sample) -> Fit:
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


def _has_small_cell(sample: Sample) -> bool:
    counts, chances = sample
    return any(0 < p < 1 and _is_small(sum(counts), p) for p in chances)


def _is_small(total: int, chance: Fraction) -> bool:
    return total * chance < MIN_EXPECTED


def _bonferroni_p(samples: Sequence[Sample]) -> float:
    """Test small cells one by one and the others together; return the corrected p-value."""
    values: list[float] = []
    others: list[Sample] = []
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
