"""The exact multinomial test against all pairs of tables in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.goodness import CellSample, multinomial_p, number_of_tables


def tables(total: int, cells: int) -> list[tuple[int, ...]]:
    return [t for t in product(range(total + 1), repeat=cells) if sum(t) == total]


def probability(counts: tuple[int, ...], chances: tuple[Fraction, ...]) -> Fraction:
    chance, remaining = Fraction(1), sum(counts)
    for n, p in zip(counts, chances, strict=True):
        chance *= comb(remaining, n) * p**n
        remaining -= n
    return chance


@st.composite
def samples(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[Fraction, ...]]:
    cells = draw(st.integers(1, 3))
    weights = draw(st.lists(st.integers(0, 9), min_size=cells, max_size=cells).filter(any))
    counts = draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells))
    return tuple(counts), tuple(Fraction(w, sum(weights)) for w in weights)


@pytest.mark.slow
@given(samples(), samples())
def test_it_sums_all_pairs_of_tables_that_are_not_more_probable(
    first: tuple[tuple[int, ...], tuple[Fraction, ...]],
    second: tuple[tuple[int, ...], tuple[Fraction, ...]],
) -> None:
    chances = [
        [probability(t, p) for t in tables(sum(counts), len(counts))]
        for counts, p in (first, second)
    ]
    seen = probability(*first) * probability(*second)
    exact = sum(a * b for a in chances[0] for b in chances[1] if a * b <= seen)
    assert multinomial_p(first, second) == pytest.approx(float(exact), rel=1e-6)
    possible = sum(map(bool, chances[0]))
    assert number_of_tables(first) == possible


def test_a_tiny_p_value_keeps_its_digits() -> None:
    """A fair coin falls on one side 200 times: twice its probability, which 1 - cdf cannot hold."""
    half = [Fraction(1, 2)] * 2
    sure: CellSample = ([5], [Fraction(1)])
    assert multinomial_p(([200, 0], half), sure) == pytest.approx(2 * 0.5**200, rel=1e-9)


@pytest.mark.slow
def test_a_table_of_many_games_has_scipys_probability() -> None:
    from scipy.stats import multinomial  # type: ignore[import-untyped]

    chances = [Fraction(9, 10), Fraction(99, 1000), Fraction(1, 1000)]
    counts, sure = [1350, 148, 2], ([0], [Fraction(1)])
    law = multinomial(1500, [float(p) for p in chances])
    grid = [(a, 1500 - a - b, b) for b in range(60) for a in range(1501 - b)]
    pmf = law.pmf(grid)
    at_most = float(pmf[pmf <= law.pmf(counts) * (1 + 1e-7)].sum())
    assert multinomial_p((counts, chances), sure) == pytest.approx(at_most, rel=1e-6)


def test_counts_that_cannot_occur_have_a_p_value_of_zero() -> None:
    half = [Fraction(1, 2), Fraction(1, 2), Fraction(0)]
    assert multinomial_p(([2, 2, 1], half), ([2, 2, 0], half)) == 0
    assert multinomial_p(([2, 2, 0], half), ([0, 0, 0], half)) == 1
