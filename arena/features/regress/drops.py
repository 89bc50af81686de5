"""Estimate how far a score dropped, from the differences of the pairs that were played.

A series stops when its test decides, and the estimate allows for that
(:mod:`arena.stats.sequential_estimate`). The design is the strip of the test that decided: that of
the margin, or that of a larger drop which was found. The other tests stop a series a little earlier
than this strip; the coverage in docs/coverage.md is measured with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.features.regress.baseline import Points
from arena.features.regress.nonregression import Decision, counted
from arena.features.regress.record import Fall
from arena.stats import grid
from arena.stats.interval import score_interval
from arena.stats.sequential_estimate import estimate
from arena.stats.sprt import LlrBounds, SprtDesign

#: If fewer pairs ended differently, the interval of a fixed number of pairs is the honest one: it
#: is regularised more strongly, by more than the stop can matter.
MIN_DIFFERING = 20


def stopped_drop(differences: Sequence[Points], decision: Decision, batch: int) -> Fall:
    """Estimate the drop after a test that looked after every ``batch`` pairs.

    ``differences`` are the new points of each pair minus the old, doubled: -4 to 4. The value is
    median-unbiased.
    """
    if sum(map(bool, differences)) < MIN_DIFFERING:
        return fixed_drop(differences)
    limits = LlrBounds(decision.test.lower, decision.test.upper)
    design = SprtDesign((1 - decision.drop) / 2, 0.5, limits, batch)
    counts, scores = counted(differences)
    estimated = estimate(counts, decision.decision, design, scores=scores)
    return _drop(estimated.mean, estimated.low, estimated.high, "stopped")


def fixed_drop(differences: Sequence[Points]) -> Fall:
    """Estimate the drop from a number of pairs that was fixed beforehand.

    Returns the mean and its interval (:func:`arena.stats.interval.score_interval`).
    """
    counts, scores = counted(differences)
    interval = score_interval(counts, scores=scores)
    assert interval is not None
    return _drop(grid.moments(counts, scores)[1], *interval, "fixed")


def _drop(mean: float, low: float, high: float, method: str) -> Fall:
    """Turn mean differences on the scale of the test into drops in points per game."""
    return Fall(1 - 2 * mean, 1 - 2 * high, 1 - 2 * low, method)
