"""Plans against simulated tests, against the errors they promise, and against the bounds."""

from __future__ import annotations

import math
import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.anytime import anytime_interval
from arena.stats.binomial import loss_bound
from arena.stats.elo import elo_of, expected_score
from arena.stats.interval import Z95
from arena.stats.plan import expected_test, games_without_loss, pairs_for_error, pairs_until
from arena.stats.sprt import bounds, sprt


@pytest.mark.slow
@pytest.mark.parametrize("elo", [-20.0, 30.0, 70.0])
def test_a_simulated_test_takes_as_long_as_planned_and_ends_as_often(elo: float) -> None:
    """Allow for Wald's approximation and for chance.

    It leaves out how far a test overshoots its bounds, so it is some per cent too short. Of 200
    tests the mean length has an error of about 5 %, the share that passes one of 3.5 %.
    """
    rng, mean = random.Random(7), expected_score(elo)
    chances = (1 - mean - 0.25, 0.5, mean - 0.25)
    lengths, passed, runs = 0, 0, 200
    for _ in range(runs):
        counts, decision = [0, 0, 0], "continue"
        while decision == "continue":
            for points in rng.choices(range(3), chances, k=4):
                counts[points] += 1
            decision = sprt(counts, 0, 60).decision
        lengths += sum(counts)
        passed += decision == "H1"
    variance = 0.25 * chances[1] + chances[2] - mean**2
    plan = expected_test(0, 60, elo, variance)
    assert plan.observations is not None
    assert plan.accepts_h1 is not None
    assert 0.9 <= lengths / runs / plan.observations <= 1.3
    assert passed / runs == pytest.approx(plan.accepts_h1, abs=0.11)


def test_at_the_hypotheses_the_errors_are_those_asked_for() -> None:
    for elo, passes in ((0, 0.05), (10, 0.9)):
        plan = expected_test(0, 10, elo, 0.1, alpha=0.05, beta=0.1)
        assert plan.accepts_h1 == pytest.approx(passes)


def test_half_way_it_is_the_limit_of_the_general_formula() -> None:
    elos = [elo_of((expected_score(0) + expected_score(10)) / 2 + h) or 0 for h in (0, 1e-6, -1e-6)]
    middle, above, below = (expected_test(0, 10, elo, 0.1, beta=0.2) for elo in elos)
    limits = bounds(0.05, 0.2)
    width = expected_score(10) - 0.5
    product = -limits.lower * limits.upper * 0.1 / width**2
    assert middle.observations == pytest.approx(product)
    for near in (above, below):
        assert near.observations == pytest.approx(product, rel=1e-3)
        assert near.accepts_h1 == pytest.approx(middle.accepts_h1, rel=1e-3)


def test_the_calculator_of_fishtest_says_the_same() -> None:
    """Its formula as STATISTICS.md restates it, at 2 Elo in a test of 0 against 5."""
    s0, s1, s = (expected_score(elo) for elo in (0, 5, 2))
    lower, upper = -math.log(19), math.log(19)
    h = (2 * s - s0 - s1) / (s1 - s0)
    passes = (1 - math.exp(-h * lower)) / (math.exp(-h * upper) - math.exp(-h * lower))
    games = 2 / h * (upper * passes + lower * (1 - passes)) * 0.1 / (s1 - s0) ** 2
    plan = expected_test(0, 5, 2, 0.1)
    assert plan.accepts_h1 == pytest.approx(passes)
    assert plan.observations == pytest.approx(games)


elos = st.floats(-4000, 4000)


@pytest.mark.slow
@given(elos, elos, elos, st.floats(0, 0.25))
def test_every_test_has_a_plan_or_a_reason(a: float, b: float, elo: float, spread: float) -> None:
    elo0, elo1 = sorted((a, b))
    if elo0 == elo1:
        return
    plan = expected_test(elo0, elo1, elo, spread)
    assert (plan.observations is None) == bool(plan.reason)
    assert plan.observations is None or 0 < plan.observations < math.inf
    assert plan.accepts_h1 is None or 0 <= plan.accepts_h1 <= 1


@pytest.mark.slow
@given(st.floats(0.01, 2000), st.floats(1e-9, 0.25), st.floats(-1500, 1500))
def test_the_planned_number_of_pairs_has_the_error_and_one_less_has_not(
    error: float, variance: float, elo: float
) -> None:
    needed = pairs_for_error(error, variance, elo=elo).number
    assert needed is not None

    def of(pairs: int) -> float:
        mean, margin = expected_score(-abs(elo)), Z95 * sqrt(variance / pairs)
        low, high = elo_of(mean - margin), elo_of(mean + margin)
        return math.inf if low is None or high is None else (high - low) / 2

    assert of(needed) <= error * (1 + 1e-6)
    if 3 <= needed < 10**9:  # of more, floats do not show the difference
        assert of(needed - 2) > error


@pytest.mark.slow
@given(st.floats(1e-9, 1), st.floats(0.01, 0.999))
def test_the_games_without_loss_bound_the_rate_and_one_less_do_not(
    rate: float, confidence: float
) -> None:
    needed = games_without_loss(rate, confidence).number
    assert needed is not None
    assert loss_bound(needed, confidence) <= rate
    assert needed == 0 or loss_bound(max(0, needed - 2), confidence) > rate


def test_a_bug_in_a_thousand_games_slips_through_a_thousand() -> None:
    assert pytest.approx(0.368, abs=5e-4) == 0.999**1000
    assert games_without_loss(0.02951).number == 101  # 100 games bound it by 2.9513 %
    assert games_without_loss(0.02952).number == 100
    assert games_without_loss(1e-300).reason
    assert games_without_loss(5e-324).reason


def test_what_cannot_be_planned_is_refused_or_has_a_reason() -> None:
    assert expected_test(0, 5, 0, 0).reason
    assert expected_test(3999.9999999, 4000, 0, 0.1).reason
    assert pairs_for_error(1e-300, 0.1).reason
    assert pairs_for_error(10, 0).number == 1
    for error, variance, elo in ((0, 0.1, 0), (math.nan, 0.1, 0), (1, 0.3, 0), (1, 0.1, 1e9)):
        with pytest.raises(UsageError):
            pairs_for_error(error, variance, elo=elo)
    for rate, confidence in ((0, 0.5), (math.nan, 0.5), (0.5, 1)):
        with pytest.raises(UsageError):
            games_without_loss(rate, confidence)


@pytest.mark.slow
@pytest.mark.parametrize("half_width", [None, 0.05])
def test_half_of_all_fights_are_answered_by_the_planned_pairs(half_width: float | None) -> None:
    shares = (0.02, 0.08, 0.6, 0.25, 0.05)
    needed = pairs_until(shares, half_width).number
    assert needed is not None
    rng, earlier = random.Random(3), 0
    for _ in range(60):
        drawn = rng.choices(range(5), shares, k=needed)
        answered = False
        for pairs in range(10, needed + 1, 10):
            seen = drawn[:pairs]
            low, high = anytime_interval([seen.count(i) for i in range(5)]) or (0.0, 1.0)
            answered |= low > 0.5 if half_width is None else high - low <= 2 * half_width
        earlier += answered
    assert 20 <= earlier <= 45


def test_no_number_of_games_tells_equal_players_apart() -> None:
    assert pairs_until([1, 2, 1], None).reason
    assert pairs_until([1, 2, 1], 1e-12).reason
