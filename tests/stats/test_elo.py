"""Elo estimates: their definitions, their symmetry, and what is said where nothing can be said."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist, fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.elo import (
    NELO,
    elo_estimate,
    elo_of,
    expected_score,
    likelihood_of_superiority,
    nelo_estimate,
)
from arena.stats.interval import score_interval
from tests.golden import Wording

tables = st.lists(st.integers(0, 10**9), min_size=3, max_size=5).filter(lambda c: len(c) != 4)


@given(st.floats(-2000, 2000))
def test_a_score_and_its_elo(elo: float) -> None:
    assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-6, rel=1e-6)


def test_an_unbounded_score_lacks_an_elo_and_any_elo_has_a_score() -> None:
    assert [elo_of(score) for score in (-1, 0, 1, 2, math.nan)] == [None] * 5
    assert elo_of(5e-324) == pytest.approx(400 * math.log10(5e-324))
    assert [expected_score(elo) for elo in (-1e6, 1e6, -math.inf, math.inf)] == [0, 1, 0, 1]


#: Counts of pairs and what fastchess 1.x printed of them: Elo and its error, nElo and its error,
#: LOS in per cent (brunocodutra/cinder, pull requests 727, 820, 925 and 938; fastchess 783).
FASTCHESS = [
    ((50, 287, 610, 387, 73), (18.04, 8.23), (28.19, 12.84), 100.00),
    ((244, 1980, 3630, 2067, 263), (2.65, 3.24), (4.36, 5.32), 94.56),
    ((319, 5914, 11812, 5933, 340), (0.44, 1.68), (0.80, 3.09), 69.39),
    ((134, 2096, 4899, 2262, 164), (4.11, 2.65), (7.63, 4.93), 99.88),
]


@pytest.mark.parametrize(("pairs", "elo", "nelo", "los"), FASTCHESS)
def test_the_estimates_that_fastchess_printed(
    pairs: tuple[int, ...], elo: tuple[float, float], nelo: tuple[float, float], los: float
) -> None:
    ours, ours_normalised = elo_estimate(pairs, extra=0), nelo_estimate(pairs)
    assert (ours.value, ours.error) == pytest.approx(elo, abs=0.0051)
    assert ours_normalised.value == pytest.approx(nelo[0], abs=0.0051)
    assert ours_normalised.error == pytest.approx(nelo[1], rel=0.02), (
        "it takes the deviation as known"
    )
    superiority = likelihood_of_superiority(pairs, extra=0)
    assert superiority is not None
    assert 100 * superiority == pytest.approx(los, abs=0.0051)


@pytest.mark.slow
def test_the_error_of_37_pairs_agrees_with_fastchess_and_nearly_openbench() -> None:
    """paulsonkoly/chess-3, pull request 109: OpenBench printed 42.47 +- 67.02 of these pairs."""
    from scipy.stats import t  # type: ignore[import-untyped]

    pairs = [4, 4, 11, 15, 3]
    n, m, v = grid.moments(pairs)
    ours = elo_estimate(pairs, extra=0)
    assert (ours.value, ours.error) == pytest.approx((42.47, 63.25), abs=0.0051)
    margin = t.ppf(0.975, n - 1) * math.sqrt(v / n)
    low, high = elo_of(m - margin), elo_of(m + margin)
    assert low is not None
    assert high is not None
    assert max(high - (ours.value or 0), (ours.value or 0) - low) == pytest.approx(
        67.02, abs=0.0051
    )


def test_two_thirds_and_a_draw() -> None:
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0
    assert pytest.approx(347.43558552260146) == NELO


@pytest.mark.slow
@given(st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(any))
def test_moments_are_those_of_the_list_of_scores(counts: list[int]) -> None:
    scores = [i / 4 for i, count in enumerate(counts) for _ in range(count)]
    assert grid.moments(counts) == pytest.approx((len(scores), fmean(scores), pvariance(scores)))


def test_the_estimates_of_a_table_by_their_definitions() -> None:
    counts = [10, 50, 200, 90, 30]
    n, m, v = grid.moments(counts)
    se = math.sqrt(v / n)
    z = NormalDist().inv_cdf(0.975)
    elo, nelo = elo_estimate(counts, extra=0), nelo_estimate(counts)
    assert elo.value == pytest.approx(elo_of(m))
    low, high = elo_of(m - z * se), elo_of(m + z * se)
    assert low is not None
    assert high is not None
    assert elo.error == pytest.approx((high - low) / 2)
    assert nelo.value == pytest.approx(NELO * (m - 0.5) / math.sqrt(2 * v))
    superiority = likelihood_of_superiority(counts, extra=0)
    assert superiority == pytest.approx(NormalDist().cdf((m - 0.5) / se))


@pytest.mark.slow
@given(tables)
def test_every_table_has_an_answer_or_a_reason(counts: list[int]) -> None:
    for estimate in (elo_estimate(counts), nelo_estimate(counts)):
        assert (estimate.value is None) <= bool(estimate.reason)
        for number in (estimate.value, estimate.error):
            assert number is None or math.isfinite(number)
    los = likelihood_of_superiority(counts)
    assert (los is None) == (not any(counts))
    assert los is None or 0 <= los <= 1


@pytest.mark.slow
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
    "counts",
    [
        [0, 0, 0],
        [0, 0, 7],
        [7, 0, 0, 0, 0],
        [0, 1, 9],
    ],
)
def test_what_cannot_be_said_has_a_reason(counts: list[int], wording: Wording) -> None:
    wording(elo_estimate(counts).reason)


def test_equal_results_have_no_normalised_elo(wording: Wording) -> None:
    wording(nelo_estimate([0, 9, 0]).reason)
    assert likelihood_of_superiority([0, 9, 0]) == 0.5


def test_normalised_elo_is_of_games_or_of_pairs(wording: Wording) -> None:
    with wording.raises(UsageError):
        nelo_estimate([1, 2, 3, 4])


def test_three_scores_out_of_seven_are_no_less_equal() -> None:
    """Sevenths are not binary fractions: the variance must not be a rounding error."""
    assert grid.moments([0, 0, 9, 0, 0, 0, 0, 0])[2] == 0


def test_equal_results_have_an_error_that_shrinks_with_their_number() -> None:
    errors = [elo_estimate([0, 0, pairs, 0, 0]).error or 0 for pairs in (10, 110, 1000)]
    assert 100 > errors[0] > errors[1] > errors[2] > 1


@pytest.mark.slow
@given(tables.filter(any))
def test_the_interval_is_that_of_the_score_in_elo(counts: list[int]) -> None:
    estimate, interval = elo_estimate(counts), score_interval(counts)
    assert interval is not None
    assert (estimate.low, estimate.high) == tuple(map(elo_of, interval))


def test_few_won_pairs_do_not_prove_who_is_stronger() -> None:
    chances = [likelihood_of_superiority([0, 0, 0, 0, pairs]) or 0 for pairs in (1, 2, 5, 20)]
    assert chances == sorted(chances)
    assert chances[0] < 0.9
    assert chances[1] < 0.95
    assert chances[-1] > 0.999


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [2, 10, 100])
@pytest.mark.parametrize(
    "chances", [(1, 4, 6, 4, 1), (0, 1, 8, 1, 0), (1, 0, 30, 0, 1), (1, 0, 0, 0, 1)], ids=str
)
def test_equal_players_are_rarely_probably_stronger(pairs: int, chances: tuple[int, ...]) -> None:
    """Above 99 % in at most 1 % of the tables; 2000 of them have a standard error of 0.2 %."""
    rng = random.Random(2)
    sure = held = 0
    for _ in range(2000):
        drawn = rng.choices(range(5), chances, k=pairs)
        counts = [drawn.count(cell) for cell in range(5)]
        sure += (likelihood_of_superiority(counts) or 0) > 0.99
        estimate = elo_estimate(counts)
        held += (estimate.low or -1e9) <= 0 <= (estimate.high or 1e9)
    assert sure <= 2000 * 0.016
    assert held >= 2000 * 0.935


@pytest.mark.slow
@given(st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(any))
def test_given_scores_may_be_the_usual_ones(counts: list[int]) -> None:
    scores = [i / 4 for i in range(5)]
    assert elo_estimate(counts, scores=scores) == elo_estimate(counts)
    assert nelo_estimate(counts, scores=scores) == nelo_estimate(counts)
    superiority = likelihood_of_superiority(counts, scores=scores)
    assert superiority == likelihood_of_superiority(counts)


def test_means_of_pairs_are_observations_of_any_scores() -> None:
    """Two openings, one half won and one won by 7 of 8 points; the third was lost."""
    total, mean, variance = grid.moments([1, 1, 1, 0], [0, 0.5, 0.875, 1])
    values = [0, 0.5, 0.875]
    assert (total, mean, variance) == pytest.approx((3, fmean(values), pvariance(values)))
    assert elo_estimate([1, 1, 1, 0], scores=[0, 0.5, 0.875, 1]).value == pytest.approx(
        elo_of(mean)
    )


@pytest.mark.parametrize("counts", [[10, 50, 200, 90, 30], [0, 3, 60, 300, 900], [40, 5, 900]])
def test_normalised_elo_has_the_interval_of_the_infinitesimal_jackknife(
    counts: list[int],
) -> None:
    """The influence of each cell on the value, by differences, instead of its moments."""
    table = grid.padded(counts, grid.JEFFREYS)
    total = sum(table)

    def value(weights: Sequence[float]) -> float:
        _, mean, variance = grid.moments(weights)
        return NELO * (mean - 0.5) / math.sqrt(len(counts) // 2 * variance)

    shares = [c / total for c in table]
    step = 1e-6
    influences = [
        (value([(1 - step) * q + step * (i == j) for j, q in enumerate(shares)]) - value(shares))
        / step
        for i in range(len(shares))
    ]
    variance = sum(q * f * f for q, f in zip(shares, influences, strict=True))
    margin = NormalDist().inv_cdf(0.975) * math.sqrt(variance / total)
    estimate = nelo_estimate(counts)
    assert (estimate.low, estimate.high) == pytest.approx(
        (value(shares) - margin, value(shares) + margin), rel=1e-3
    )
