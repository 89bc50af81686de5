"""The variance by observations is what the scores of single observations make of it."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest

from arena.stats.davidson import Likelihood
from arena.stats.pairings import PairingCell, PairingCounts
from tests.stats.pairings import GAMES, by_games

JOINT = ((5, 3, 9), (2, 8, 4), (7, 6, 12))


def chance(difference: float, log_nu: float, points: int) -> float:
    """Return the chance of a result by Davidson's model."""
    weights = [exp(-difference / 2), exp(log_nu), exp(difference / 2)]
    return weights[points] / sum(weights)


def log_chance(pairing: PairingCounts, cell: PairingCell, point: Any) -> float:
    return sum(
        log(
            chance(
                point[pairing.a] - point[pairing.b] + game.moved * point[-2],
                point[-1],
                game.points,
            )
        )
        for game in cell
    )


def score(pairing: PairingCounts, cell: PairingCell, point: Any) -> Any:
    """Return the gradient of an observation's log-likelihood, by central differences."""
    steps = 1e-5 * np.eye(len(point))
    return np.array(
        [
            (log_chance(pairing, cell, point + step) - log_chance(pairing, cell, point - step))
            / 2e-5
            for step in steps
        ]
    )


@pytest.mark.parametrize("advantage", [True, False])
def test_the_sandwich_is_made_of_the_scores_of_the_observations(advantage: bool) -> None:
    pairings = [
        PairingCounts.of_pairs(0, 1, JOINT),
        *by_games({(1, 2): GAMES[1, 2], (0, 2): (3, 4, 5)}),
    ]
    likelihood = Likelihood(3, pairings, [0], advantage)
    point = np.array([0.0, 0.3, -0.4, 0.2 * advantage, -0.5])
    inverse = likelihood.look(point).inverse
    meat = sum(
        times * np.outer(score(pairing, cell, point), score(pairing, cell, point))
        for pairing in pairings
        for cell, times in pairing.cells
    )
    assert likelihood.sandwich(point) == pytest.approx(inverse @ meat @ inverse, abs=1e-8)


def test_the_likelihood_has_no_prior_unless_there_is_one() -> None:
    pairings = by_games(GAMES)
    plain, none, some = (
        Likelihood(4, pairings, [0], True, *prior) for prior in ((), (0.0,), (1.0,))
    )
    assert plain.parameters == none.parameters == 6
    assert some.parameters == 7
    assert plain.observations == none.observations == some.observations
