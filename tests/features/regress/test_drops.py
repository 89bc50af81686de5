"""The estimated fall covers the truth after a stop, and agrees with the plain one without it."""

from __future__ import annotations

import random

import pytest

from arena.features.regress.drops import MIN_DIFFERING, fixed_drop, stopped_drop
from arena.features.regress.nonregression import NonRegression

BATCH, MOST = 25, 1000


def pair(rng: random.Random, fall: float) -> int:
    """Draw the difference of two pairs of coin tosses; the later ones win less often."""
    new = sum(rng.random() < 0.5 - fall for _ in range(4))
    return new - sum(rng.random() < 0.5 for _ in range(4))


def stopped(rng: random.Random, test: NonRegression, fall: float) -> list[int]:
    """Play until the test decides."""
    differences: list[int] = []
    while len(differences) < MOST:
        differences += [pair(rng, fall) for _ in range(BATCH)]
        if test.of(differences).decision != "continue":
            break
    return differences


@pytest.mark.slow
@pytest.mark.parametrize("true", [0.0, 0.05, pytest.param(0.1, marks=pytest.mark.slow)])
def test_the_interval_covers_the_true_fall_after_a_stop(true: float) -> None:
    """Of 100 intervals at most 12 miss, but once in five hundred times."""
    rng, test, misses, above = random.Random(3), NonRegression(0.1, 0.05), 0, 0
    for _ in range(100):
        differences = stopped(rng, test, true)
        fall = stopped_drop(differences, test.of(differences), BATCH)
        misses += not fall.low <= true <= fall.high
        above += fall.value > true
    assert misses <= 12
    assert 30 <= above <= 70, "the median of the estimates is the truth"


def test_without_a_decision_the_two_estimates_are_near() -> None:
    rng, test = random.Random(4), NonRegression(0.02, 0.05)
    differences = [pair(rng, 0.03) for _ in range(100)]
    decision = test.of(differences)
    assert decision.decision == "continue"
    one, other = stopped_drop(differences, decision, BATCH), fixed_drop(differences)
    assert one.value == pytest.approx(other.value, abs=0.01)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.02)


def test_a_fall_is_in_points_a_game() -> None:
    """All four doubled points of two games are one point a game."""
    assert fixed_drop([-4] * 50).value == 1
    assert fixed_drop([4] * 50).value == -1
    assert fixed_drop([-1, 0] * 50).value == pytest.approx(1 / 8)


def test_after_a_few_differences_the_plain_interval_stands() -> None:
    test = NonRegression(0.02, 0.05)
    differences = [0] * 400 + [-1] * (MIN_DIFFERING - 1)
    assert stopped_drop(differences, test.of(differences), 10) == fixed_drop(differences)
