"""Exact p-values against sums in integers, and the published bounds on a loss rate."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.binomial import loss_bound, tail_p
from tests.golden import Wording
from tests.samples import few


@pytest.mark.parametrize(
    ("games", "percent"), [(100, 2.951), (1000, 0.2991), (2000, 0.1497), (10_000, 0.02995)]
)
def test_how_often_a_player_may_lose_that_never_did(games: int, percent: float) -> None:
    digits = len(str(percent).partition(".")[2])
    assert 100 * loss_bound(games) == pytest.approx(percent, abs=0.6 * 10**-digits)


def smaller_tail(times: int, trials: int, p: Fraction) -> Fraction:
    """Sum the smaller tail in integers."""
    won, lost = p.numerator, p.denominator - p.numerator
    ways = [comb(trials, k) * won**k * lost ** (trials - k) for k in range(trials + 1)]
    return Fraction(min(sum(ways[: times + 1]), sum(ways[times:])), p.denominator**trials)


@pytest.mark.slow
@given(st.integers(0, 300), st.floats(0, 1), st.data())
def test_the_p_value_is_twice_the_smaller_tail(trials: int, p: float, data: st.DataObject) -> None:
    times = data.draw(st.integers(0, trials))
    exact = min(Fraction(1), 2 * smaller_tail(times, trials, Fraction(p)))
    if exact > Fraction(1, 10**300):
        assert tail_p(times, trials, p) == pytest.approx(float(exact), rel=1e-11)
    else:
        assert tail_p(times, trials, p) <= 1.001e-300


@pytest.mark.parametrize(("times", "trials"), [(0, 5), (3, 10), (7, 10), (1, 300), (200, 300)])
@pytest.mark.parametrize("p", [0.125, 0.5, 0.75])
def test_a_p_value_of_few_trials_is_twice_the_smaller_tail(
    times: int, trials: int, p: float
) -> None:
    exact = min(Fraction(1), 2 * smaller_tail(times, trials, Fraction(p)))
    assert tail_p(times, trials, p) == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "trials", "p"),
    few([(60, 10**5, 1e-5), (3, 10**5, 1e-20), (29_900, 10**5, 0.3), (44_300, 10**5, 0.5)]),
)
def test_a_p_value_of_a_hundred_thousand_trials_is_scipys(
    times: int, trials: int, p: float
) -> None:
    from scipy.stats import binom  # type: ignore[import-untyped]

    tail = min(binom.cdf(times, trials, p), binom.sf(times - 1, trials, p))
    assert tail_p(times, trials, p) == pytest.approx(2 * tail, rel=1e-8)


def test_certain_counts_have_a_p_value_of_one_and_impossible_ones_of_zero() -> None:
    assert [tail_p(0, 9, 0.0), tail_p(9, 9, 1.0), tail_p(0, 0, 0.3)] == [1, 1, 1]
    assert [tail_p(1, 9, 0.0), tail_p(8, 9, 1.0)] == [0, 0]
    for times, trials, p in ((-1, 5, 0.5), (6, 5, 0.5), (1, 5, 1.5), (1, 5, float("nan"))):
        with pytest.raises(UsageError):
            tail_p(times, trials, p)


@given(st.integers(1, 10**15), st.sampled_from([0.5, 0.95, 0.999]))
def test_so_many_games_without_a_loss_are_as_unlikely_as_the_bound_says(
    games: int, confidence: float
) -> None:
    bound = loss_bound(games, confidence)
    assert exp(games * log1p(-bound)) == pytest.approx(1 - confidence, rel=1e-9)


def test_without_games_every_loss_rate_is_possible() -> None:
    assert loss_bound(0) == 1


@pytest.mark.parametrize(("games", "confidence"), [(-1, 0.9), (5, 0), (5, 1), (5, float("nan"))])
def test_impossible_bounds_are_refused(games: int, confidence: float, wording: Wording) -> None:
    with wording.raises(UsageError):
        loss_bound(games, confidence)
