"""Fit sparse tables: their likelihood with Jeffreys' prior has a maximum, and the fit finds it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.stats.bradley_terry import ROUGH, rate
from arena.stats.comparable import Comparable
from arena.stats.davidson import Likelihood
from arena.stats.firth import fit
from arena.stats.pairings import PairingCounts, pooled
from benchmarks.coverage.laws import chances
from tests.samples import few
from tests.stats.pairings import names

Array = NDArray[np.floating[Any]]

#: Seeds, and nu, of tables that take Newton's method alone more than a hundred steps.
SLOW_TABLES = [(54, 30.0), (115, 0.05), (121, 0.6), (68, 30.0), (69, 30.0), (138, 30.0)]


def sparse(
    players: int, apart: float, draws: float, rng: np.random.Generator
) -> list[PairingCounts]:
    """Draw three rounds at random, of two pairs a pairing; ratings are ``apart`` from the next."""
    tables: dict[tuple[int, int], Array] = {}
    for _ in range(3):
        order = rng.permutation(players)
        for one, other in zip(order[::2], order[1::2], strict=False):
            a, b = sorted((int(one), int(other)))
            gap = apart * (b - a)
            law = np.outer(chances(gap + 50, draws), chances(gap - 50, draws)).ravel()
            drawn = rng.multinomial(2, law / law.sum()).reshape(3, 3)
            tables[a, b] = tables.get((a, b), np.zeros((3, 3))) + drawn
    return pooled(
        players, [PairingCounts.of_pairs(a, b, t.tolist()) for (a, b), t in tables.items()]
    )


def penalised(players: int, pairings: list[PairingCounts], point: Array) -> float:
    """Return the likelihood with Jeffreys' prior, from a dense design; player 0 has rating zero."""
    total, information = 0.0, np.zeros((players + 1, players + 1))
    for pairing in pairings:
        for cell, times in pairing.cells:
            for moved, points in cell:
                towards = np.zeros(players + 2)
                towards[[pairing.a, pairing.b, players]] = 0.5, -0.5, moved / 2
                level = np.eye(players + 2)[-1]
                design = np.array([-towards, level, towards])
                odds = design @ point
                law = np.exp(odds - np.logaddexp.reduce(odds))
                total += times * np.log(law[points])
                centred = (design - law @ design)[:, 1:]
                information += times * centred.T @ (law[:, None] * centred)
    return float(total + np.linalg.slogdet(information)[1] / 2)


def check(pairings: list[PairingCounts], players: int) -> None:
    """Assert by the other computation that no point a thousandth of an error away is as likely."""
    fitted = fit(Likelihood(players, pairings, [0], advantage=True), players + 1)
    assert fitted is not None
    errors = np.sqrt(np.diagonal(fitted.model))
    best = penalised(players, pairings, fitted.point)
    for place, way in itertools.product(range(1, players + 2), (-1, 1)):
        step = np.zeros(players + 2)
        step[place] = way * 1e-3 * errors[place]
        assert penalised(players, pairings, fitted.point + step) < best


def connected(players: int, apart: float, draws: float, seed: int) -> list[PairingCounts]:
    rng = np.random.default_rng(seed)
    while len(Comparable(names(players), result := sparse(players, apart, draws, rng)).groups) > 1:
        pass
    return result


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "draws"), few(SLOW_TABLES, 3))
def test_find_the_maximum_where_the_prior_decides_much(seed: int, draws: float) -> None:
    check(connected(16, 100, draws, seed), 16)


@pytest.mark.slow
@pytest.mark.parametrize("apart", [0.0, 100.0, 400.0])
@pytest.mark.parametrize("draws", [0.05, 0.6, 8.0, 30.0])
def test_rate_every_sparse_table(apart: float, draws: float) -> None:
    rng = np.random.default_rng([int(apart), int(100 * draws)])
    for number in range(200):
        players = int(rng.integers(2, 9)) * 2
        pairings = sparse(players, apart, draws, rng)
        assert ROUGH not in rate(names(players), pairings).statements
        groups = Comparable(names(players), pairings).groups
        if number % 20 == 0 and len(groups) == 1 and players > 2:
            check(pairings, players)
