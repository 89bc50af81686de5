"""The chi-square test against known quantiles and a numerical integral."""

from __future__ import annotations

from fractions import Fraction
from math import exp, gamma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.chisquare import chi_square_p, chi_square_sf


@pytest.mark.parametrize(
    ("freedom", "five_percent"),
    [(1, 3.841459), (2, 5.991465), (3, 7.814728), (4, 9.487729), (8, 15.507313), (9, 16.918978)],
)
def test_the_five_percent_points_of_the_tables(freedom: int, five_percent: float) -> None:
    assert chi_square_sf(five_percent, freedom) == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize("freedom", range(2, 9))
def test_it_is_the_integral_of_the_density(freedom: int) -> None:
    x, step = 3.0, 1e-3
    middles = [step * (i + 0.5) for i in range(int(x / step))]
    below = sum(step * t ** (freedom / 2 - 1) * exp(-t / 2) for t in middles)
    below /= 2 ** (freedom / 2) * gamma(freedom / 2)
    assert chi_square_sf(x, freedom) == pytest.approx(1 - below, abs=1e-4)


@pytest.mark.slow
@given(st.floats(0, 5000), st.integers(1, 3000))
def test_it_is_scipys_however_many_degrees_of_freedom(x: float, freedom: int) -> None:
    from scipy.stats import chi2  # type: ignore[import-untyped]

    assert chi_square_sf(x, freedom) == pytest.approx(chi2.sf(x, freedom), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("x", "freedom"), [(-1, 3), (float("nan"), 3), (1, -1)])
def test_what_is_no_statistic_is_refused(x: float, freedom: int) -> None:
    with pytest.raises(UsageError):
        chi_square_sf(x, freedom)


@given(st.floats(0, 5000), st.integers(0, 12))
def test_it_is_always_a_probability(x: float, freedom: int) -> None:
    assert 0 <= chi_square_sf(x, freedom) <= 1


def test_counts_as_expected_have_probability_one_and_impossible_ones_zero() -> None:
    half = Fraction(1, 2)
    assert chi_square_p([((50, 50), (half, half))]) == 1
    assert chi_square_p([((50, 50, 1), (half, half, Fraction(0)))]) == 0
    assert chi_square_p([((9, 0), (Fraction(1), Fraction(0)))]) == 1
    assert chi_square_p([((0, 0), (half, half))]) == 1
    assert chi_square_p([]) == 1


def test_the_published_results_of_the_seeds_agree_with_the_exact_ones() -> None:
    exact = (Fraction(7003, 7560), Fraction(557, 7560), Fraction(0))
    assert chi_square_p([((1860, 140, 0), exact)]) == pytest.approx(0.53, abs=0.005)
