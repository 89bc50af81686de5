"""Simulate fights with a fixed number of pairs, and bounds of a loss rate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arena.stats.binomial import loss_bound
from arena.stats.elo import (
    NELO,
    elo_estimate,
    expected_score,
    likelihood_of_superiority,
    nelo_estimate,
)
from arena.stats.interval import score_interval
from benchmarks.coverage.laws import PAIRS, Array, generator, scores, tilted
from benchmarks.coverage.table import Row, coverage, errors

#: Pairs of a fight.
SIZES = (20, 100, 1000)

#: Elo differences.
TRUTHS = (0.0, 100.0)


def rows(replicates: int) -> Iterator[Row]:
    """Yield the interval of the score, the errors of both Elos, superiority and loss bounds."""
    for name, shape in PAIRS.items():
        for elo in TRUTHS:
            for size in SIZES:
                law = tilted(shape, expected_score(elo))
                drawn = generator(name, elo, size).multinomial(size, law, replicates).tolist()
                yield from _intervals(drawn, law, elo, f"{name}, {elo:g} Elo, {size} pairs")
    for games in (100, 2000):
        yield _loss_bound(games, replicates)


def _intervals(drawn: list[list[int]], law: Array, elo: float, under: str) -> Iterator[Row]:
    values = scores(len(law))
    mean = float(law @ values)
    deviation = float(np.sqrt(2 * (law @ (values - mean) ** 2)))
    found = [score_interval(counts) for counts in drawn]
    hits = [one[0] <= mean <= one[1] for one in found if one is not None]
    yield coverage("score interval of a fight", under, hits)
    yield coverage("Elo +- error", under, _near(drawn, elo))
    nelo = NELO * (mean - 0.5) / deviation
    yield coverage("normalised Elo of a fight", under, _within(drawn, nelo))
    if not elo:
        superior = [likelihood_of_superiority(counts) for counts in drawn]
        for level in (0.05, 0.01):
            wrong = [los is not None and los > 1 - level for los in superior]
            yield errors(f"probably stronger over {1 - level:.0%}", under, wrong, level)


def _near(drawn: list[list[int]], truth: float) -> list[bool]:
    """Return which estimates of Elo are nearer to the truth than their error."""
    found = [elo_estimate(counts) for counts in drawn]
    return [
        abs(one.value - truth) <= one.error
        for one in found
        if one.value is not None and one.error is not None
    ]


def _within(drawn: list[list[int]], truth: float) -> list[bool]:
    """Return which intervals of normalised Elo hold the truth."""
    found = [nelo_estimate(counts) for counts in drawn]
    return [
        one.low <= truth <= one.high
        for one in found
        if one.low is not None and one.high is not None
    ]


def _loss_bound(games: int, replicates: int) -> Row:
    """Draw from the least loss rate that the bound after no loss denies: its worst case."""
    bound = loss_bound(games)
    losses = generator("loss bound", games).binomial(games, bound * (1 + 1e-9), replicates)
    wrong = [lost == 0 for lost in losses.tolist()]
    return errors("loss bound after no loss", f"{games} games", wrong, 0.05)
