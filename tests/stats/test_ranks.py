"""Ranks that hold together: the tests, the differences, and how often they are wrong."""

from __future__ import annotations

from itertools import combinations, permutations
from statistics import NormalDist

import numpy as np
import pytest

from arena.stats.differences import common_opponents, differences, mean_of
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.interval import AGRESTI_COULL, score_interval
from arena.stats.ranks import Two, critical_value, rank_intervals, surely_better


def test_holm_rejects_what_the_definition_does() -> None:
    """By the definition: the k-th smallest p-value is compared with the error over what is left."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        statistics = {two: float(rng.normal(0, 2.5)) for two in combinations(range(5), 2)}
        one_sided = {(a, b): t for (a, b), t in statistics.items()}
        one_sided |= {(b, a): -t for (a, b), t in statistics.items()}
        p_values = sorted((1 - NormalDist().cdf(t), two) for two, t in one_sided.items())
        expected = set()
        for place, (p, two) in enumerate(p_values):
            if p > 0.05 / (len(p_values) - place):
                break
            expected.add(two)
        assert surely_better(statistics) == expected


def test_a_rank_counts_those_that_are_surely_better_and_surely_worse() -> None:
    better = {(3, 0), (3, 1), (2, 0)}
    assert rank_intervals(range(4), better) == {0: (3, 4), 1: (2, 4), 2: (1, 3), 3: (1, 2)}
    assert rank_intervals([0, 1], better) == {0: (1, 2), 1: (1, 2)}


def test_every_order_that_the_answers_allow_is_within_the_intervals() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        better = surely_better({two: float(rng.normal(0, 4)) for two in combinations(range(5), 2)})
        intervals = rank_intervals(range(5), better)
        for order in permutations(range(5)):
            place = {player: rank for rank, player in enumerate(order, start=1)}
            if all(place[a] < place[b] for a, b in better):
                assert all(low <= place[p] <= high for p, (low, high) in intervals.items())


def pairs(*counts: int) -> Observations:
    return Observations(counts, PAIR_SCORES)


def test_two_players_are_told_apart_where_their_interval_excludes_a_half() -> None:
    """But for the unbiased variance, which is larger by one observation in n + 3.84."""
    for wins in range(60):
        table = pairs(0, 10, 20, 10, wins)
        result = differences([0, 1], {(0, 1): table})
        assert result is not None
        low, high = score_interval(table.counts) or (0, 1)
        centre = (low + high) / 2
        total = sum(table.counts) + 2 * AGRESTI_COULL
        expected = (centre - 0.5) / ((high - low) / 2) * critical_value(1)
        assert result[0, 1] == pytest.approx(expected * ((total - 1) / total) ** 0.5)


def test_a_difference_has_the_variance_of_its_pairings() -> None:
    """By the covariance of the mean scores, written out as a matrix."""
    rng = np.random.default_rng(3)
    pairings = {
        two: pairs(*map(int, rng.multinomial(n, [0.2] * 5)))
        for two, n in zip(combinations(range(4), 2), (5, 9, 30, 4, 8, 20), strict=True)
    }
    result = differences(range(4), pairings)
    assert result is not None
    extra = critical_value(6) ** 2 / 2 / 5
    weights, variances, scores = np.zeros((4, 6)), np.zeros(6), np.zeros(6)
    for place, ((a, b), table) in enumerate(pairings.items()):
        mean = mean_of(table, extra)
        weights[a, place], weights[b, place] = 1 / 3, -1 / 3
        variances[place], scores[place] = mean.variance, mean.score - 0.5
    covariance, values = weights @ np.diag(variances) @ weights.T, weights @ scores
    for (a, b), statistic in result.items():
        spread = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        assert statistic == pytest.approx((values[a] - values[b]) / spread**0.5)


def test_compare_only_players_that_met_the_same_opponents() -> None:
    one = pairs(1, 1, 1, 1, 1)
    gauntlet = {(0, 1): one, (0, 2): one, (0, 3): one}
    assert common_opponents([1, 2, 3], gauntlet) == {0}
    assert differences([1, 2, 3], gauntlet) is not None
    assert differences([0, 1, 2, 3], gauntlet) is None  # 0 met nobody whom the others met
    assert differences([0, 1, 2], {(0, 1): one}) is None
    assert differences([], {}) == {}


def test_a_single_observation_tells_nothing() -> None:
    """Players without chance repeat their games, which then count once."""
    once = {two: pairs(0, 0, 0, 0, 1) for two in combinations(range(3), 2)}
    result = differences(range(3), once)
    assert result is not None
    assert surely_better(result) == set()


def wrong(scores: np.ndarray, pairs_each: int, law: list[float], tables: int) -> float:
    """Return the share of tables of equal players in which somebody is surely better."""
    players, errors = len(scores), 0
    rng = np.random.default_rng(4)
    for _ in range(tables):
        pairings: dict[Two, Observations] = {
            two: pairs(*map(int, rng.multinomial(pairs_each, law)))
            for two in combinations(range(players), 2)
        }
        errors += bool(surely_better(differences(range(players), pairings) or {}))
    return errors / tables


@pytest.mark.slow
@pytest.mark.parametrize("pairs_each", [2, 10, 40])
@pytest.mark.parametrize("law", [[0.25, 0.15, 0.2, 0.15, 0.25], [0.01, 0.03, 0.92, 0.03, 0.01]])
def test_equal_players_are_hardly_ever_told_apart(pairs_each: int, law: list[float]) -> None:
    """Nominal is 5 %; three standard errors of 400 tables are 3 %. The benchmark is larger."""
    assert wrong(np.zeros(4), pairs_each, law, 400) < 0.08


def test_players_that_are_far_apart_have_ranks_of_their_own() -> None:
    strong, even = pairs(0, 0, 2, 8, 40), pairs(10, 10, 10, 10, 10)
    result = differences(range(3), {(0, 1): strong, (0, 2): strong, (1, 2): strong})
    assert rank_intervals(range(3), surely_better(result or {})) == {
        0: (1, 1),
        1: (2, 2),
        2: (3, 3),
    }
    level = differences(range(3), dict.fromkeys(combinations(range(3), 2), even))
    assert rank_intervals(range(3), surely_better(level or {})) == dict.fromkeys(range(3), (1, 3))
