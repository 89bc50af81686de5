"""One scale: how much of the scores it leaves, and when that is more than chance."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.stats.bradley_terry import rate
from arena.stats.meetings import Meeting
from arena.stats.one_scale import Misfit


def misfit(meetings: list[Meeting], players: int) -> Misfit | None:
    return rate([str(player) for player in range(players)], meetings).scale


def games(gaps: dict[tuple[int, int], float], number: int, seed: int) -> list[Meeting]:
    """Games without draws, by the difference in log odds of each two players."""
    rng = np.random.default_rng(seed)
    won = {two: int(rng.binomial(number, 1 / (1 + np.exp(-gap)))) for two, gap in gaps.items()}
    return [Meeting.of_games(a, b, (number - n, 0, n)) for (a, b), n in won.items()]


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
    found = misfit([Meeting.of_games(a, b, (10, 0, 40)) for a, b in circle], 3)
    assert found is not None
    assert found.p_value < 1e-6
    assert found.unexplained == pytest.approx(1, abs=0.01)


def test_a_cycle_within_a_scale_is_left_over_in_part() -> None:
    truth = on_one_scale([1.5, 0.5, -0.5, -1.5])
    truth[0, 1] -= 1.2
    truth[1, 2] += 1.0
    found = misfit(games(truth, 400, 1), 4)
    assert found is not None
    assert found.p_value < 0.001
    assert found.unexplained is not None
    assert 0.005 < found.unexplained < 0.3


def test_nothing_is_tested_where_any_scores_fit() -> None:
    """Two players, a chain and a gauntlet have as many pairings as differences of ratings."""
    beaten = [Meeting.of_games(0, other, (3, 1, 9)) for other in (1, 2, 3)]
    assert misfit(beaten, 4) is None
    assert misfit(beaten[:1], 2) is None
    assert misfit([], 2) is None


def test_the_degrees_of_freedom_are_the_pairings_beyond_the_ratings() -> None:
    found = misfit(games(on_one_scale([0.0] * 6), 20, 1), 6)
    assert found is not None
    assert found.freedom == 15 - 5
    apart = [*games(on_one_scale([0.0] * 3), 20, 1), Meeting.of_games(3, 4, (1, 2, 3))]
    found = misfit(apart, 5)
    assert found is not None
    assert found.freedom == 4 - 3
