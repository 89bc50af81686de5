"""Mean payoffs over blocks, against sums and variances that are computed another way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from arena.stats.mean_payoffs import ScoreBlock, differences, interval_of
from arena.stats.ranks import critical_value

#: The share of the best score, in a block of three in which all games pay 1 to one player.
THIRDS = [Fraction(n, 3) for n in range(4)]


def drawn(blocks: int, players: int, seed: int, better: float = 0.0) -> list[ScoreBlock]:
    """Return blocks of three of these players, where player 0 gains by ``better``."""
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(blocks):
        table = sorted(rng.choice(players, 3, replace=False))
        weights = np.array([1 + better * (player == 0) for player in table])
        wins = rng.multinomial(3, weights / weights.sum())
        results.append(tuple((int(p), THIRDS[n]) for p, n in zip(table, wins, strict=True)))
    return results


def test_a_mean_is_that_of_the_blocks_in_which_a_player_sat() -> None:
    blocks = drawn(300, 5, seed=1)
    for player in range(5):
        own = [float(score) for block in blocks for who, score in block if who == player]
        result = interval_of(Counter(blocks), player)
        assert result is not None
        assert result.score == pytest.approx(np.mean(own))
        # A score interval of many blocks is near the one of a normal law.
        width = 2 * 1.96 * np.std(own) / sqrt(len(own))
        assert result.high - result.low == pytest.approx(width, rel=0.1)
        assert result.low < result.score < result.high
    assert interval_of(Counter(blocks), 5) is None


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 6])
def test_differences_are_near_those_of_means_with_their_variances(players: int) -> None:
    blocks = drawn(2000, players, seed=2, better=0.3)
    result = differences(Counter(blocks), range(players))
    for (a, b), apart in result.items():
        # The influence of every block on the difference of two means, as one sample.
        own = {p: [dict(block).get(p) for block in blocks] for p in (a, b)}
        number = {p: sum(score is not None for score in own[p]) for p in (a, b)}
        mean = {p: float(sum(s for s in own[p] if s is not None)) / number[p] for p in (a, b)}
        influence = [
            (float(x) - mean[a]) / number[a] * (x is not None)
            if y is None and x is not None
            else (0.0 if x is None else (float(x) - mean[a]) / number[a])
            - (0.0 if y is None else (float(y) - mean[b]) / number[b])
            for x, y in zip(own[a], own[b], strict=True)
        ]
        expected = (mean[a] - mean[b]) / sqrt(sum(each**2 for each in influence))
        assert apart == pytest.approx(expected, abs=0.15)
    assert result[0, 1] > 3


def test_two_players_swapped_have_the_opposite_difference() -> None:
    blocks = Counter(drawn(50, 4, seed=3))
    one, other = (differences(blocks, order) for order in ([0, 1, 2, 3], [3, 2, 1, 0]))
    for (a, b), apart in one.items():
        assert other[b, a] == pytest.approx(-apart)


@pytest.mark.slow
def test_equal_players_are_rarely_told_apart() -> None:
    """All comparisons of a tournament hold together: few tournaments have a wrong one."""
    wrong = 0
    for seed in range(200):
        blocks = Counter(drawn(60, 4, seed=seed))
        result = differences(blocks, range(4))
        wrong += max(map(abs, result.values())) > critical_value(len(result))
    assert wrong <= 18  # 200 tournaments at 5 % have more once in 100
