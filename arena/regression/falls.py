"""Estimate how far a score fell, from the differences of pairs at which the games stopped."""

from __future__ import annotations

from collections.abc import Sequence

from arena.regression.nonregression import counted
from arena.stats.elo import moments
from arena.stats.interval import score_interval
from arena.verdicts import Fall


def fixed_fall(differences: Sequence[int]) -> Fall:
    """Estimate the fall from a number of pairs that was fixed beforehand.

    ``differences`` are the new points of each pair minus the old, doubled: -4 to 4. Returns the
    mean and its interval (:func:`arena.stats.interval.score_interval`).
    """
    counts = counted(differences)
    interval = score_interval(counts)
    assert interval is not None
    return _fall(moments(counts)[1], *interval)


def _fall(mean: float, low: float, high: float) -> Fall:
    """Turn mean differences on the scale of the test into falls in points a game."""
    return Fall(1 - 2 * mean, 1 - 2 * high, 1 - 2 * low)
