"""Clopper-Pearson bounds against the binomial sum, and the published bounds on a loss rate."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.binomial import binomial_cdf, lower_bound, upper_bound


@pytest.mark.parametrize(
    ("games", "percent"), [(100, 2.951), (1000, 0.2991), (2000, 0.1497), (10_000, 0.02995)]
)
def test_how_often_a_player_may_lose_that_never_did(games: int, percent: float) -> None:
    digits = len(str(percent).partition(".")[2])
    assert 100 * upper_bound(0, games) == pytest.approx(percent, abs=0.6 * 10**-digits)


@given(st.integers(1, 60), st.data())
def test_the_distribution_is_the_exact_sum(trials: int, data: st.DataObject) -> None:
    times = data.draw(st.integers(0, trials))
    p = Fraction(data.draw(st.integers(1, 99)), 100)
    exact = sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(times + 1))
    assert binomial_cdf(times, trials, float(p)) == pytest.approx(float(exact), abs=1e-10)


@given(st.integers(1, 10**9), st.data())
def test_the_bound_leaves_five_percent(trials: int, data: st.DataObject) -> None:
    times = data.draw(st.integers(0, trials))
    high, low = upper_bound(times, trials), lower_bound(times, trials)
    assert 0 <= low <= times / trials <= high <= 1
    if times < trials:
        assert binomial_cdf(times, trials, high) == pytest.approx(0.05, abs=1e-4)


def test_without_trials_everything_is_possible() -> None:
    assert (lower_bound(0, 0), upper_bound(0, 0)) == (0, 1)
