"""Estimate Elo and normalised Elo from counted results, and which player is the stronger.

Counts are how often each score occurred, by default K equally spaced ones i/(K-1): three cells for
games (lost, drawn, won), five for pairs (LL, LD, DD or WL, WD, WW). Every function is total: where
an estimate is undefined its value is None and it gives the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, log, log10, sqrt

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.stats import grid
from arena.stats.interval import AGRESTI_COULL, Z95, score_interval
from arena.stats.summation import added

#: Normalised Elo is this times (mean - 1/2) / sd of a game's score: 800 / ln 10.
NELO = 800 / log(10)


@dataclass(frozen=True)
class Estimate:
    """A value and half the width of its 95 % interval, None with a reason where undefined."""

    value: float | None
    error: float | None = None
    reason: str = ""
    #: The ends of the interval; None for one without a bound.
    low: float | None = None
    high: float | None = None


def expected_score(elo: float) -> float:
    """Return the score of a difference in logistic Elo, from 0 to 1.

    >>> expected_score(0)
    0.5
    """
    power = 10 ** (-abs(elo) / 400)  # not of the other sign, which overflows
    return (1 if elo >= 0 else power) / (1 + power)


def elo_of(score: float) -> float | None:
    """Return the logistic Elo of a score, None where it has no bound: at 0, at 1 and beyond.

    >>> elo_of(0.5)
    0.0
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None


def elo_estimate(
    counts: Sequence[float],
    *,
    scores: Sequence[float] | None = None,
    extra: float = AGRESTI_COULL,
) -> Estimate:
    """Return the logistic Elo of the mean score, for a number of observations chosen beforehand.

    The 95 % interval is that of :func:`arena.stats.interval.score_interval`, in Elo. The error is
    half its width, or None where the score has no bound on one side. With ``extra=0`` it is the
    error of fastchess and fishtest, which vanishes when every score was the same.
    """
    total, mean, _ = grid.moments(counts, scores)
    if not total:
        return Estimate(None, reason="nothing was played")
    interval = score_interval(counts, scores=scores, extra=extra)
    assert interval is not None
    return in_elo(mean, *interval)


def in_elo(score: float, low: float, high: float) -> Estimate:
    """Return the estimate of a score and the ends of its interval as Elo."""
    value, bottom, top = map(elo_of, (score, low, high))
    if value is None:
        reason = "won everything" if score > 0 else "lost everything"
        return Estimate(None, reason=reason, low=bottom, high=top)
    if bottom is None or top is None:
        return Estimate(value, reason="too few results for an error", low=bottom, high=top)
    return Estimate(value, (top - bottom) / 2, low=bottom, high=top)


def nelo_estimate(counts: Sequence[float], *, scores: Sequence[float] | None = None) -> Estimate:
    """Return normalised Elo: the mean above 1/2 in standard deviations of a single game's score.

    The value is that of fastchess. The interval is from the table regularised by Jeffreys' prior,
    and the error is the distance to its farther end. Raises UsageError unless the counts are of
    games or of pairs. Given ``scores`` are those of pairs.
    """
    total, mean, variance = grid.moments(counts, scores)
    games = games_per_observation(counts, scores)
    if not total:
        return Estimate(None, reason="nothing was played")
    if not variance:
        return Estimate(None, reason="all results were the same")
    value = NELO * (mean - 0.5) / sqrt(games * variance)
    size, centre, spread = grid.moments(grid.padded(counts, grid.JEFFREYS), scores)
    margin = Z95 * sqrt(spread / size)
    low, high = nelo_interval(centre, centre - margin, centre + margin, counts, scores)
    # With a few observations the value, which is not regularised, may lie beyond the interval.
    low, high = min(low, value), max(high, value)
    return Estimate(value, max(high - value, value - low), low=low, high=high)


def nelo_interval(
    score: float,
    low: float,
    high: float,
    counts: Sequence[float],
    scores: Sequence[float] | None = None,
) -> tuple[float, float]:
    """Return the ends of a score's interval as normalised Elo.

    The standard deviation is estimated too, from the table regularised by Jeffreys' prior. That
    stretches the interval by the square root of 1 - d skewness + d^2 (kurtosis - 1) / 4, where d is
    the score above 1/2 in standard deviations (the delta method, as in fishtest's stat_util).
    """
    table, values = grid.padded(counts, grid.JEFFREYS), grid.scores(counts, scores)
    total, mean, variance = grid.moments(table, values)
    deviation = sqrt(variance)
    third, fourth = (
        added(c * ((x - mean) / deviation) ** power for c, x in zip(table, values, strict=True))
        / total
        for power in (3, 4)
    )
    effect = (score - 0.5) / deviation
    stretch = sqrt(max(0.0, 1 - effect * third + effect**2 * (fourth - 1) / 4))
    unit = NELO / (deviation * sqrt(games_per_observation(counts, scores)))
    bottom, top = (unit * (score - 0.5 + stretch * (end - score)) for end in (low, high))
    return bottom, top


def likelihood_of_superiority(
    counts: Sequence[float],
    *,
    scores: Sequence[float] | None = None,
    extra: float = AGRESTI_COULL,
) -> float | None:
    """Return the normal probability that the true score is above 1/2, or None without observations.

    The table is regularised as in :func:`arena.stats.interval.score_interval`: one won pair does
    not prove anything. With ``extra=0`` it is the number of fastchess and fishtest.
    """
    if not grid.moments(counts, scores)[0]:
        return None
    values = grid.scores(counts, scores)
    total, mean, variance = grid.moments(grid.padded(counts, extra), values)
    if not variance:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return erfc((0.5 - mean) / sqrt(2 * variance / total)) / 2


def games_per_observation(counts: Sequence[float], scores: Sequence[float] | None) -> int:
    """Return 1 for three cells and 2 for five or for given scores, which are those of pairs.

    Normalised Elo is of a single game's deviation. Raises UsageError for other tables.
    """
    if scores is not None:
        return 2
    if len(counts) not in (3, 5):
        raise UsageError(f"normalised Elo is of 3 cells or of 5, not of {len(counts)}")
    return len(counts) // 2
