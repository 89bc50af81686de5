"""Simulated tournaments: their laws, their seed and their lengths."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.stats.forecast import Goal, lengths, pair_law

BEST = Goal(1, 0.05, 0.05, 500)


@pytest.mark.parametrize("draws", [0.0, 0.3, 0.9])
def test_a_pair_is_two_games_of_the_model(draws: float) -> None:
    for elo in (-300.0, 0.0, 80.0):
        law = pair_law(elo, draws)
        assert sum(law) == pytest.approx(1)
        assert law[::-1] == pytest.approx(pair_law(-elo, draws))
        # Both won against both lost: the square of the odds of a game that is not drawn.
        assert law[4] / law[0] == pytest.approx(10 ** (2 * elo / 400))
    even = pair_law(0.0, draws)
    assert even[0] == pytest.approx(((1 - draws) / 2) ** 2)


def test_lengths_follow_from_the_seed_and_fall_with_the_difference() -> None:
    near, far = (lengths([elo, 0, 0], 0.5, BEST, 3, seed=1) for elo in (60, 300))
    assert near == lengths([60, 0, 0], 0.5, BEST, 3, seed=1)
    assert near != lengths([60, 0, 0], 0.5, BEST, 3, seed=2)
    assert sum(length.pairs for length in far) < sum(length.pairs for length in near)
    assert all(length.is_decided for length in far)


def test_a_cap_bounds_a_tournament() -> None:
    [result] = lengths([0, 0, 0], 0.5, BEST._replace(cap=20), 1, seed=1)
    assert (result.pairs, result.is_decided) == (60, False)


@pytest.mark.parametrize("elos", [[], [1], [0] * 201, [0, float("nan")], [0, 1e9]])
def test_ratings_that_nobody_has_are_refused(elos: list[float]) -> None:
    with pytest.raises(UsageError):
        lengths(elos, 0.5, BEST, 1, seed=1)


@pytest.mark.parametrize("draws", [-0.1, 1.0, float("nan")])
def test_a_share_of_draws_is_below_one(draws: float) -> None:
    with pytest.raises(UsageError, match="draws"):
        lengths([0, 1], draws, BEST, 1, seed=1)
