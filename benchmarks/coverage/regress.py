"""Simulate the falls that ``arena regress`` finds by games: errors, and the fall's interval."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arena.features.regress.drops import stopped_drop
from arena.features.regress.nonregression import MISSED, NonRegression
from arena.stats.sprt import bounds
from benchmarks.coverage.laws import DIFFERENCES, Array, Decide, generator, ratios, tilted, walks
from benchmarks.coverage.table import Row, coverage, errors

LEVEL = 0.05

#: Margin, pairs between two looks, and pairs of the baseline: two opponents, ten, and --quick.
DESIGNS = ((0.02, 10, 400), (0.02, 50, 2000), (0.05, 50, 1000))

#: Falls in points per game, as multiples of the margin.
FALLS = (0.0, 0.5, 1.0, 5.0)


def rows(replicates: int) -> Iterator[Row]:
    """Yield false alarms, missed falls and the coverage of the fall."""
    for name, shape in DIFFERENCES.items():
        for margin, batch, most in DESIGNS:
            for times in FALLS:
                fall = times * margin
                under = f"{name}, margin {margin:g}, a look every {batch} of {most}, fall {fall:g}"
                yield from _stopped(shape, margin, batch, most, fall, replicates, under)


def _stopped(
    shape: tuple[float, ...],
    margin: float,
    batch: int,
    most: int,
    fall: float,
    replicates: int,
    under: str,
) -> Iterator[Row]:
    test = NonRegression(margin, LEVEL)
    law = tilted(shape, (1 - fall) / 2)
    tables, decisions = walks(
        law, _decide(test), batch, most, replicates, generator("regress", under)
    )
    if fall == 0:
        yield errors("regress says weaker", under, (decisions < 0).tolist(), LEVEL)
    if fall == margin:
        yield errors("regress says not weaker", under, (decisions > 0).tolist(), MISSED)
    hits, excess = [], []
    for table, decided in zip(tables.astype(int).tolist(), decisions.tolist(), strict=True):
        differences = [i - 4 for i, n in enumerate(table) for _ in range(n)]
        decision = test.of(differences)
        assert decision.decision == {1: "H1", 0: "continue", -1: "H0"}[decided]
        if any(differences):  # else it says that no pair ended differently
            found = stopped_drop(differences, decision, batch)
            hits.append(found.low <= fall <= found.high)
            excess.append(found.value - fall)
    yield coverage("fall of regress", under, hits, excess, "points")


def _decide(test: NonRegression) -> Decide:
    """Return the decisions of the test on many tables at once."""
    limits = bounds(MISSED, test.false_alarm / 2 / len(test.drops))

    def decide(tables: Array) -> NDArray[np.int64]:
        found = [ratios(tables, (1 - fall) / 2, 0.5) for fall in test.drops]
        fell = np.any([ratio <= limits.lower for ratio in found], axis=0)
        return np.where(fell, -1, found[0] >= limits.upper).astype(np.int64)

    return decide
