"""The interval of a score."""

from __future__ import annotations

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.interval import (
    Z95,
    interval_within,
    score_interval,
)

counts = st.lists(st.integers(0, 10**6), min_size=3, max_size=5).filter(
    lambda cells: len(cells) in (3, 5) and sum(cells) > 0
)


@pytest.mark.slow
@given(counts)
def test_it_contains_the_mean_and_lies_between_nothing_and_everything(cells: list[int]) -> None:
    interval = score_interval(cells)
    assert interval is not None
    low, high = interval
    mean = sum(i / (len(cells) - 1) * n for i, n in enumerate(cells)) / sum(cells)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    assert low < high


@pytest.mark.slow
@given(counts)
def test_the_opponents_interval_is_its_mirror_image(cells: list[int]) -> None:
    one, other = score_interval(cells), score_interval(cells[::-1])
    assert one is not None
    assert other is not None
    assert one[0] == pytest.approx(1 - other[1], abs=1e-12)
    assert one[1] == pytest.approx(1 - other[0], abs=1e-12)


def test_without_data_there_is_none() -> None:
    assert score_interval([0, 0, 0, 0, 0]) is None


def test_for_wins_and_losses_it_is_agresti_and_coulls() -> None:
    wins, n = 7, 20
    centre = (wins + Z95**2 / 2) / (n + Z95**2)
    margin = Z95 * sqrt(centre * (1 - centre) / (n + Z95**2))
    assert score_interval([n - wins, 0, wins]) == pytest.approx((centre - margin, centre + margin))


@pytest.mark.parametrize("chances", [(1, 2, 4, 2, 1), (0, 0, 1, 8, 30), (0, 1, 200, 1, 0)])
def test_it_covers_the_true_score_at_least_as_often_as_it_says(chances: tuple[int, ...]) -> None:
    rng = random.Random(5)
    scores = [0.0, 0.25, 0.5, 0.75, 1.0]
    truth = sum(s * c for s, c in zip(scores, chances, strict=True)) / sum(chances)
    covered = 0
    for _ in range(1000):
        drawn = rng.choices(range(5), chances, k=50)
        interval = score_interval([drawn.count(cell) for cell in range(5)])
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert covered >= 930  # 950 expected of an exact one; three standard deviations below are 929


def test_within_the_bounds_of_the_scores_it_is_the_usual_interval() -> None:
    counts, scores = [2, 5, 3], [0.0, 0.25, 1.0]
    assert interval_within(counts, scores, (0, 1)) == score_interval(counts, scores=scores)
    assert interval_within([0, 0], [0, 1], (0, 1)) is None


def test_it_lies_between_the_ends_of_the_mean_and_has_a_width() -> None:
    low, high = interval_within([50], [0.5], (0.4, 0.6)) or (0, 0)
    assert 0.4 <= low < 0.5 < high <= 0.6
    assert interval_within([50, 50], [-3, 4], (0.4, 0.6)) == (0.4, 0.6)


def test_it_holds_where_a_rare_score_was_not_seen() -> None:
    """One score in a hundred is 0, and 200 others are 0.51: the mean is less than that."""
    low, high = interval_within([200], [0.51], (0, 1)) or (0, 0)
    assert low < 0.51 * 0.99 < high
