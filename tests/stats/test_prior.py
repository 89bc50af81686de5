"""The prior of ratings: imagined games against an average player."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.bradley_terry import rate
from arena.stats.davidson import Array
from arena.stats.estimates import estimates
from arena.stats.pairings import PairingCounts, pooled

#: Games that a lost, drew and won, by its number and its opponent's.
GAMES = {(0, 1): (4, 3, 9), (1, 2): (2, 1, 1), (3, 4): (0, 0, 6)}


def law(gap: float, log_nu: float) -> Array:
    """Return the chances of a loss, a draw and a win."""
    odds = np.exp([-gap / 2, log_nu, gap / 2])
    return np.asarray(odds / odds.sum())


def posterior(point: Array, prior: float) -> float:
    """Return the penalised likelihood from its definition: ratings of five players, then log nu."""
    value, information = 0.0, np.zeros((6, 6))
    against: list[tuple[int, int | None, tuple[float, ...], float]]
    against = [(a, b, counts, point[-1]) for (a, b), counts in GAMES.items()]
    against += [(a, None, (prior / 2, 0, prior / 2), -np.inf) for a in range(5)]
    for a, b, counts, log_nu in against:
        way = np.zeros(6)
        way[a] = 1
        if b is not None:
            way[b] = -1
        chances = law(float(way @ point), float(log_nu))
        with np.errstate(divide="ignore"):
            value += sum(n * np.log(p) for n, p in zip(counts, chances, strict=True) if n)
        last = np.eye(6)[-1] * (b is not None)
        ways = np.array([-way / 2, last, way / 2])
        centred = ways - chances @ ways
        information += sum(counts) * (centred.T * chances) @ centred
    return float(value + np.linalg.slogdet(information)[1] / 2)


@pytest.mark.slow
@pytest.mark.parametrize("prior", [0.5, 2.0, 10.0])
def test_the_ratings_make_the_likelihood_with_the_imagined_games_largest(prior: float) -> None:
    pairings = pooled(5, [PairingCounts.of_games(a, b, counts) for (a, b), counts in GAMES.items()])
    result = estimates([(0, 1, 2), (3, 4)], pairings, False, profiled=False, prior=prior)
    assert result is not None
    point = np.delete(result.point, 5)  # nobody knows who moved first
    best = posterior(point, prior)
    rng = np.random.default_rng(1)
    for _ in range(200):
        assert posterior(point + rng.normal(0, 0.02, 6), prior) <= best + 1e-9


def test_a_strong_prior_brings_ratings_together_and_a_weak_one_hardly() -> None:
    pairings = [PairingCounts.of_games(0, 1, (4, 3, 9))]
    values = [rate("ab", pairings, prior).ratings[0].value or 0 for prior in (0, 0.01, 2, 50)]
    assert values == sorted(values, reverse=True)
    assert values[1] == pytest.approx(values[0], rel=0.05)
    assert values[3] < values[0] / 2


def test_a_prior_does_not_change_how_often_even_players_draw() -> None:
    """Nobody draws an imagined game, and who imagines them says nothing of draws."""
    pairings = [PairingCounts.of_games(0, 1, (10, 80, 10))]
    without, weak = (rate("ab", pairings, prior).draws.value for prior in (0.0, 20.0))
    assert weak == pytest.approx(without, rel=0.02)
