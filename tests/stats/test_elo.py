"""Elo estimates: their definitions, their symmetry, and what is said where nothing can be said."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.elo import (
    NELO,
    elo_estimate,
    elo_of,
    expected_score,
    likelihood_of_superiority,
    moments,
    nelo_estimate,
)

tables = st.lists(st.integers(0, 10**9), min_size=3, max_size=5).filter(lambda c: len(c) != 4)


@given(st.floats(-2000, 2000))
def test_a_score_and_its_elo(elo: float) -> None:
    assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-6, rel=1e-6)


def test_two_thirds_and_a_draw() -> None:
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0
    assert pytest.approx(347.43558552260146) == NELO


@given(st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(any))
def test_moments_are_those_of_the_list_of_scores(counts: list[int]) -> None:
    scores = [i / 4 for i, count in enumerate(counts) for _ in range(count)]
    assert moments(counts) == pytest.approx((len(scores), fmean(scores), pvariance(scores)))


def test_the_estimates_of_a_table_by_their_definitions() -> None:
    counts = [10, 50, 200, 90, 30]
    n, m, v = moments(counts)
    se = math.sqrt(v / n)
    z = NormalDist().inv_cdf(0.975)
    elo, nelo = elo_estimate(counts), nelo_estimate(counts)
    assert elo.value == pytest.approx(elo_of(m))
    assert elo.error == pytest.approx((elo_of(m + z * se) - elo_of(m - z * se)) / 2)
    assert nelo.value == pytest.approx(NELO * (m - 0.5) / math.sqrt(2 * v))
    assert nelo.error == pytest.approx(NELO * z / math.sqrt(2 * n))
    assert likelihood_of_superiority(counts) == pytest.approx(NormalDist().cdf((m - 0.5) / se))


@given(tables)
def test_every_table_has_an_answer_or_a_reason(counts: list[int]) -> None:
    for estimate in (elo_estimate(counts), nelo_estimate(counts)):
        assert (estimate.value is None) <= bool(estimate.reason)
        for number in (estimate.value, estimate.error):
            assert number is None or math.isfinite(number)
    los = likelihood_of_superiority(counts)
    assert (los is None) == (not any(counts))
    assert los is None or 0 <= los <= 1


@given(tables.filter(any))
def test_the_opponents_view_is_the_mirror_image(counts: list[int]) -> None:
    one, other = elo_estimate(counts), elo_estimate(counts[::-1])
    if one.value is not None and other.value is not None:
        assert one.value == pytest.approx(-other.value, abs=1e-5, rel=1e-5)
    los, reverse = likelihood_of_superiority(counts), likelihood_of_superiority(counts[::-1])
    assert los is not None
    assert reverse is not None
    assert los + reverse == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([0, 0, 0], "nothing was played"),
        ([0, 0, 7], "won everything"),
        ([7, 0, 0, 0, 0], "lost everything"),
        ([0, 1, 9], "too few results for an error"),
    ],
)
def test_what_cannot_be_said_has_a_reason(counts: list[int], reason: str) -> None:
    assert elo_estimate(counts).reason == reason


def test_equal_results_have_no_normalised_elo() -> None:
    assert nelo_estimate([0, 9, 0]).reason == "all results were the same"
    assert likelihood_of_superiority([0, 9, 0]) == 0.5
    assert likelihood_of_superiority([0, 0, 9]) == 1
