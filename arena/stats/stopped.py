"""Estimate a mean score after a sequential test has stopped.

A test that stops when the results look good makes them look better than they are. So the mean of
the results is not a fair estimate after a stop, and an interval for a fixed number of observations
does not hold. This module orders the ends that a test can have (stage-wise ordering, Siegmund,
"Sequential Analysis", 1985, chapter III), from low to high:

1. the test accepts H0, the earlier the lower;
2. it stops undecided at the most observations, the better their mean the higher;
3. it accepts H1, the earlier the higher.

The estimate is the true mean under which an end above the observed one is as probable as one below.
It is median-unbiased. The 95 % interval goes from the mean under which an end at least as high has
a probability of 2.5 % to the one under which it has 97.5 %.

From ten looks on the log-likelihood ratio is taken as a Brownian motion, as fishtest takes it.
Siegmund's correction (chapter X) moves its bounds outwards, because the ratio overshoots them. A
test with fewer looks is simulated.

Half an observation of the worst score and half of the best regularise the table (Jeffreys' prior).
Without them players that nearly always draw show too little variance, and their intervals are far
too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from arena.errors import UsageError
from arena.stats import grid, simulated
from arena.stats.brownian import Strip
from arena.stats.sprt import Design

#: A test with fewer looks is simulated.
FEWEST_LOOKS = 10

#: Standard deviations of a step by which a normal random walk overshoots a bound on average.
OVERSHOOT = 0.583

DECISIONS = ("H0", "continue", "H1")

#: Halvings of the range of scores; they leave less than 1e-6 Elo.
HALVINGS = 40


@dataclass(frozen=True)
class Stopped:
    """An estimate of the mean score after a stop."""

    #: Median-unbiased.
    mean: float
    #: The ends of the 95 % interval.
    low: float
    high: float
    #: One minus the one-sided p-value of "the mean is at most the level that was asked for".
    superiority: float


def estimate(
    counts: Sequence[float],
    decision: str,
    design: Design,
    *,
    scores: Sequence[float] | None = None,
    level: float = 0.5,
    seed: int = 0,
) -> Stopped:
    """Estimate the mean from the table with which a test stopped.

    ``counts[i]`` observations had the score ``scores[i]``, by default i/(K-1). ``decision`` is
    ``H0``, ``H1``, or ``continue`` if the test stopped undecided. ``seed`` is for the simulation
    of a test of few looks.
    Raises UsageError if the table is empty or is not a table, or ``decision`` is not one of these.

    >>> from arena.stats.sprt import bounds
    >>> found = estimate([20, 130, 420, 200, 30], "H1", Design(0.5, 0.514, bounds(), 10))
    >>> round(found.low, 4), round(found.mean, 4), round(found.high, 4)
    (0.501, 0.516, 0.5305)
    """
    values = grid.scores(counts, scores)
    total = float(sum(counts))
    if not total:
        raise UsageError("nothing was observed: there is nothing to estimate")
    if decision not in DECISIONS:
        raise UsageError(f"decision {decision!r} is not one of {', '.join(DECISIONS)}")
    if total > (FEWEST_LOOKS - 1) * design.batch:
        at_least = _at_least(counts, values, decision, design)
    else:
        at_least = simulated.at_least(counts, values, decision, design, level, seed)
    high, mean, low = (_solved(at_least, p, values) for p in (0.975, 0.5, 0.025))
    return Stopped(mean, low, high, 1 - at_least(level))


def _at_least(
    counts: Sequence[float], scores: Sequence[float], decision: str, design: Design
) -> Callable[[float], float]:
    """Return the probability of an end at least as high as this one, as a function of the mean.

    An observation of the score x adds (x - (s0 + s1) / 2) (s1 - s0) / variance to the ratio.
    """
    total, observed, _ = grid.moments(counts, scores)
    _, _, variance = grid.moments(grid.padded(counts, grid.JEFFREYS), scores)
    middle = (design.mean0 + design.mean1) / 2
    slope = (design.mean1 - design.mean0) / variance
    growth = slope**2 * variance
    overshoot = OVERSHOOT * sqrt(growth * design.batch)
    start = overshoot - design.limits.lower
    width = start + design.limits.upper + overshoot
    height = min(max(start + total * slope * (observed - middle), 0.0), width)

    def chance(mean: float) -> float:
        strip = Strip(slope * (mean - middle), growth, start, width)
        if decision == "H1":
            return strip.leaves_above_by(total)
        if decision == "H0":
            return 1 - strip.mirrored().leaves_above_by(total)
        return 1 - strip.below(total, height)

    return chance


def _solved(at_least: Callable[[float], float], chance: float, scores: Sequence[float]) -> float:
    """Return the mean under which an end at least as high has this probability."""
    low, high = scores[0], scores[-1]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if at_least(middle) < chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2
