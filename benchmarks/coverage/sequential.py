"""Simulate sequential tests of Elo: their error rates, and the estimate after a stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.fights.estimates import report_stopped
from arena.fights.stopping import LOOK_PAIRS
from arena.records.sequential import Hypotheses, SprtReport
from arena.stats.elo import NELO, expected_score
from arena.stats.grid import moments
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.sprt import bounds
from benchmarks.coverage.laws import PAIRS, Array, Decide, generator, ratios, tilted, walks
from benchmarks.coverage.table import Row, coverage, errors

ALPHA = BETA = 0.05

#: Pairs after which a test ends undecided.
MAX_PAIRS = 20_000

DECISIONS = {1: "H1", 0: "continue", -1: "H0"}


@dataclass(frozen=True)
class Test:
    """A shape of pairs, and the Elos of the two hypotheses."""

    shape: str
    elo0: float
    elo1: float

    def truths(self) -> dict[str, float]:
        """Return the differences to simulate."""
        low, high = self.elo0, self.elo1
        return {"elo0": low, "the middle": (low + high) / 2, "elo1": high, "2 elo1": 2 * high}


#: Tests of hundreds of looks, and of few.
TESTS = (
    Test("balanced", 0, 10),
    Test("drawish", 0, 10),
    Test("wild", 0, 20),
    Test("balanced", 0, 50),
    Test("wild", 0, 100),
)


def rows(replicates: int) -> Iterator[Row]:
    """Yield wrong decisions, and the coverage and the bias of the estimated Elo."""
    for test in TESTS:
        for name, elo in test.truths().items():
            under = f"{test.shape}, {test.elo0:g} against {test.elo1:g}, true {name} = {elo:g}"
            yield from _tried(test, elo, under, replicates)


def _tried(test: Test, elo: float, under: str, replicates: int) -> Iterator[Row]:
    law = tilted(PAIRS[test.shape], expected_score(elo))
    tables, decisions = walks(
        law, _decide(test), LOOK_PAIRS, MAX_PAIRS, replicates, generator(under)
    )
    if elo == test.elo0:
        yield errors("H1 is accepted", under, (decisions > 0).tolist(), ALPHA)
    if elo == test.elo1:
        yield errors("H0 is accepted", under, (decisions < 0).tolist(), BETA)
    found = [
        _report(test, table, DECISIONS[decided])
        for table, decided in zip(tables.astype(int).tolist(), decisions.tolist(), strict=True)
    ]
    yield _row(found, "elo", "Elo", elo, under)
    nelo = NELO * (expected_score(elo) - 0.5) / sqrt(2 * moments(law.tolist())[2])
    yield _row(found, "nelo", "normalised Elo", nelo, under)
    if elo == 0:
        for level in (0.05, 0.01):
            wrong = [report.los is not None and report.los > 1 - level for report in found]
            yield errors(
                f"probably stronger over {1 - level:.0%} after a test", under, wrong, level
            )


def _report(test: Test, counts: list[int], decision: str) -> SprtReport:
    table = Observations(tuple(counts), PAIR_SCORES)
    hypotheses = Hypotheses(test.elo0, test.elo1, ALPHA, BETA)
    report = report_stopped(table, hypotheses, LOOK_PAIRS, seed=1)
    assert report.decision == decision
    return report


def _row(found: list[SprtReport], value: str, name: str, truth: float, under: str) -> Row:
    """Return the coverage of a value's interval; a missing end is not a bound."""
    hits, excess = [], []
    for report in found:
        low, high = getattr(report, f"{value}_low"), getattr(report, f"{value}_high")
        hits.append((low is None or low <= truth) and (high is None or truth <= high))
        estimate = getattr(report, value)
        excess.append(inf if estimate is None else estimate - truth)
    return coverage(f"{name} after a test", under, hits, excess, name)


def _decide(test: Test) -> Decide:
    """Return the decisions of the test on many tables at once."""
    limits = bounds(ALPHA, BETA)

    def decide(tables: Array) -> NDArray[np.int64]:
        ratio = ratios(tables, expected_score(test.elo0), expected_score(test.elo1))
        return (ratio >= limits.upper).astype(np.int64) - (ratio <= limits.lower)

    return decide
