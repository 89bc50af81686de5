"""Clopper-Pearson bounds against the binomial sum, and the published bounds on a loss rate."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc  # type: ignore[import-untyped]
from scipy.stats import beta, binom, chi2  # type: ignore[import-untyped]

from arena.errors import UsageError
from arena.stats.beta import incomplete_beta
from arena.stats.binomial import binomial_cdf, lower_bound, tail_p, upper_bound


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


def smaller_tail(times: int, trials: int, p: Fraction) -> Fraction:
    """Sum the smaller tail in integers."""
    won, lost = p.numerator, p.denominator - p.numerator
    ways = [comb(trials, k) * won**k * lost ** (trials - k) for k in range(trials + 1)]
    return Fraction(min(sum(ways[: times + 1]), sum(ways[times:])), p.denominator**trials)


@given(st.integers(0, 300), st.floats(0, 1), st.data())
@settings(deadline=None)
def test_the_p_value_is_twice_the_smaller_tail(trials: int, p: float, data: st.DataObject) -> None:
    times = data.draw(st.integers(0, trials))
    exact = min(Fraction(1), 2 * smaller_tail(times, trials, Fraction(p)))
    if exact > Fraction(1, 10**300):
        assert tail_p(times, trials, p) == pytest.approx(float(exact), rel=1e-11)
    else:
        assert tail_p(times, trials, p) <= 1.001e-300


@pytest.mark.parametrize(
    ("times", "trials", "p"),
    [(44_300, 10**5, 0.5), (60, 10**5, 1e-5), (3, 10**5, 1e-20), (29_900, 10**5, 0.3)],
)
def test_a_p_value_of_a_hundred_thousand_trials_is_scipys(
    times: int, trials: int, p: float
) -> None:
    tail = min(binom.cdf(times, trials, p), binom.sf(times - 1, trials, p))
    assert tail_p(times, trials, p) == pytest.approx(2 * tail, rel=1e-8)


def test_certain_counts_have_a_p_value_of_one_and_impossible_ones_of_zero() -> None:
    assert [tail_p(0, 9, 0.0), tail_p(9, 9, 1.0), tail_p(0, 0, 0.3)] == [1, 1, 1]
    assert [tail_p(1, 9, 0.0), tail_p(8, 9, 1.0)] == [0, 0]
    for times, trials, p in ((-1, 5, 0.5), (6, 5, 0.5), (1, 5, 1.5), (1, 5, float("nan"))):
        with pytest.raises(UsageError):
            tail_p(times, trials, p)


@given(st.integers(1, 10**9), st.data())
def test_the_bound_leaves_five_percent(trials: int, data: st.DataObject) -> None:
    times = data.draw(st.integers(0, trials))
    high, low = upper_bound(times, trials), lower_bound(times, trials)
    assert 0 <= low <= times / trials <= high <= 1
    if times < trials:
        assert binomial_cdf(times, trials, high) == pytest.approx(0.05, abs=1e-4)


def test_without_trials_everything_is_possible() -> None:
    assert (lower_bound(0, 0), upper_bound(0, 0)) == (0, 1)


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.999]))
@settings(max_examples=50, deadline=None)
def test_the_bounds_are_quantiles_of_scipys_beta_distribution(
    trials: int, share: float, confidence: float
) -> None:
    """Of 10^9 trials scipy 1.17 has some quantiles wrong: beta.ppf(0.1, 1000, 998499002)."""
    times = round(share * trials)
    if 0 < times < trials:
        above = beta.ppf(confidence, times + 1, trials - times)
        below = beta.ppf(1 - confidence, times, trials - times + 1)
        low, high = (f(times, trials, confidence) for f in (lower_bound, upper_bound))
        assert (low, high) == pytest.approx((below, above), rel=1e-6)
        assert high - low == pytest.approx(above - below, rel=1e-4)


@pytest.mark.parametrize("times", [1, 17, 10**5, 10**13, 5 * 10**14, 10**15 - 10**5])
def test_the_bounds_of_a_thousand_million_million_trials(times: int) -> None:
    """Few times are Poisson distributed and many normally; scipy's quantiles are too rough here."""
    trials = 10**15
    low, high = lower_bound(times, trials), upper_bound(times, trials)
    if times < 10**4:
        ends = chi2.ppf(0.05, 2 * times) / 2, chi2.ppf(0.95, 2 * times + 2) / 2
        assert (low * trials, high * trials) == pytest.approx(ends, rel=1e-3)
    else:
        share = times / trials
        width = 2 * 1.6448536269514722 * sqrt(share * (1 - share) / trials)
        assert low < share < high
        assert high - low == pytest.approx(width, rel=0.01)


@given(st.floats(-2, 6), st.floats(-2, 6), st.floats(-6, 6))
def test_the_incomplete_beta_function_is_scipys(a: float, b: float, sigmas: float) -> None:
    a, b = 10**a, 10**b
    mean = a / (a + b)
    x = mean + sigmas * (mean * (b / (a + b)) / (a + b + 1)) ** 0.5
    inside = min(1.0, max(0.0, x))
    assert incomplete_beta(x, a, b) == pytest.approx(betainc(a, b, inside), abs=1e-7)


@pytest.mark.parametrize(("a", "b"), [(1001, 10**5), (10**5, 1001), (1001, 1001), (5000, 2000)])
def test_where_the_fraction_hands_over_the_approximation_has_seven_digits(a: int, b: int) -> None:
    mean = a / (a + b)
    for sigmas in (-3, -1, -0.1, 0, 0.5, 2):
        x = mean + sigmas * (mean * (1 - mean) / (a + b + 1)) ** 0.5
        assert incomplete_beta(x, a, b) == pytest.approx(betainc(a, b, x), abs=4e-8)


@pytest.mark.parametrize(
    ("times", "trials", "confidence"), [(-1, 5, 0.9), (6, 5, 0.9), (1, 5, 0), (1, 5, 1)]
)
def test_impossible_questions_are_refused(times: int, trials: int, confidence: float) -> None:
    for bound in (upper_bound, lower_bound):
        with pytest.raises(UsageError):
            bound(times, trials, confidence)
    with pytest.raises(UsageError):
        binomial_cdf(1, 3, 1.5)
