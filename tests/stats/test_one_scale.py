"""One scale: how much of the scores it leaves, and when that is more than chance."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.stats.bradley_terry import rate
from arena.stats.one_scale import Misfit, misfit_of
from arena.stats.pairings import PairingCounts


def misfit(pairings: list[PairingCounts], players: int) -> Misfit | None:
    return rate([str(player) for player in range(players)], pairings).scale


def games(gaps: dict[tuple[int, int], float], number: int, seed: int) -> list[PairingCounts]:
    """Games without draws, by the difference in log odds of each two players."""
    rng = np.random.default_rng(seed)
    won = {two: int(rng.binomial(number, 1 / (1 + np.exp(-gap)))) for two, gap in gaps.items()}
    return [PairingCounts.of_games(a, b, (number - n, 0, n)) for (a, b), n in won.items()]


def on_one_scale(ratings: list[float]) -> dict[tuple[int, int], float]:
    return {(a, b): ratings[a] - ratings[b] for a, b in combinations(range(len(ratings)), 2)}


@pytest.mark.slow
def test_one_scale_is_rejected_as_rarely_as_the_p_value_says() -> None:
    truth = on_one_scale([0.9, 0.4, 0.0, -0.3, -1.0])
    p_values = [fit.p_value for s in range(150) if (fit := misfit(games(truth, 60, s), 5))]
    assert len(p_values) == 150
    assert np.mean(np.array(p_values) < 0.05) < 0.1
    assert np.mean(np.array(p_values) < 0.5) > 0.2  # it is a test, not only cautious


def test_a_cycle_is_left_over_whole() -> None:
    circle = [(2, 1), (1, 0), (0, 2)]
    result = misfit([PairingCounts.of_games(a, b, (10, 0, 40)) for a, b in circle], 3)
    assert result is not None
    assert result.p_value < 1e-6
    assert result.unexplained == pytest.approx(1, abs=0.01)


def test_a_cycle_within_a_scale_is_left_over_in_part() -> None:
    truth = on_one_scale([1.5, 0.5, -0.5, -1.5])
    truth[0, 1] -= 1.2
    truth[1, 2] += 1.0
    result = misfit(games(truth, 400, 1), 4)
    assert result is not None
    assert result.p_value < 0.001
    assert result.unexplained is not None
    assert 0.005 < result.unexplained < 0.3


def test_nothing_is_tested_where_any_scores_fit() -> None:
    """Two players, a chain and a gauntlet have as many pairings as differences of ratings."""
    beaten = [PairingCounts.of_games(0, other, (3, 1, 9)) for other in (1, 2, 3)]
    assert misfit(beaten, 4) is None
    assert misfit(beaten[:1], 2) is None
    assert misfit([], 2) is None


def test_the_degrees_of_freedom_are_the_pairings_beyond_the_ratings() -> None:
    result = misfit(games(on_one_scale([0.0] * 6), 20, 1), 6)
    assert result is not None
    assert result.freedom == 15 - 5
    apart = [*games(on_one_scale([0.0] * 3), 20, 1), PairingCounts.of_games(3, 4, (1, 2, 3))]
    result = misfit(apart, 5)
    assert result is not None
    assert result.freedom == 4 - 3


def likely(ratings: list[float], log_nu: float) -> Any:
    """Return a point: ratings, no advantage, and log nu."""
    return np.array([*ratings, 0.0, log_nu])


@pytest.mark.parametrize("log_nu", [-30.0, 0.0, 1.0])
def test_a_point_beside_the_best_one_leaves_as_much(log_nu: float) -> None:
    """The ratings move to the least sum of squares first: only what is not linear remains."""
    truth = on_one_scale([0.6, 0.2, -0.2, -0.6])
    truth[0, 3] += 0.5
    pairings = []
    for (a, b), gap in truth.items():
        weights = np.exp([-gap / 2, log_nu, gap / 2])
        pairings.append(PairingCounts.of_games(a, b, (200 * weights / weights.sum()).tolist()))
    groups = [(0, 1, 2, 3)]
    near = misfit_of(groups, pairings, likely([0.6, 0.2, -0.2, -0.6], log_nu))
    beside = misfit_of(groups, pairings, likely([0.7, 0.1, -0.15, -0.65], log_nu))
    assert near is not None
    assert beside is not None
    assert near.chi_square > 2
    assert beside.chi_square == pytest.approx(near.chi_square, rel=0.08)


def test_the_unexplained_share_is_that_of_the_variance_without_chance() -> None:
    """A circle of three that all beat a fourth as often: the ratings explain the fourth alone."""
    number, circle, fourth = 200, 0.6, 0.8
    shares = {(0, 1): circle, (1, 2): circle, (2, 0): circle}
    shares |= {(player, 3): fourth for player in range(3)}
    pairings = [
        PairingCounts.of_games(a, b, ((1 - share) * number, 0, share * number))
        for (a, b), share in shares.items()
    ]
    rating = np.log(fourth / (1 - fourth))
    result = misfit_of([(0, 1, 2, 3)], pairings, likely([rating, rating, rating, 0.0], -30.0))
    chance = sum(share * (1 - share) / (number - 1) for share in shares.values())
    remaining, all_scores = 3 * (circle - 0.5) ** 2, sum((s - 0.5) ** 2 for s in shares.values())
    expected = (remaining - 3 / 6 * chance) / (all_scores - chance)
    assert result is not None
    assert result.freedom == 3
    assert result.unexplained == pytest.approx(expected, rel=1e-6)


def test_a_group_of_two_fits_any_score() -> None:
    pair = PairingCounts.of_games(4, 5, (30, 0, 70))
    truth = on_one_scale([0.6, 0.2, -0.2, -0.6])
    pairings = games(truth, 100, 2)
    ratings = [0.6, 0.2, -0.2, -0.6]
    alone = misfit_of([(0, 1, 2, 3)], pairings, likely(ratings, -30.0))
    beside = misfit_of(
        [(0, 1, 2, 3), (4, 5)], [*pairings, pair], likely([*ratings, 0.4, -0.3], -30.0)
    )
    assert alone is not None
    assert beside is not None
    assert beside.freedom == 3
    assert beside.chi_square == pytest.approx(alone.chi_square, abs=0.05)
