"""Elo and normalised Elo of counted results, with errors; who is probably the stronger.

Counts are how often each of K equally spaced scores i/(K-1) occurred: three cells for games (lost,
drawn, won), five for pairs (LL, LD, DD or WL, WD, WW). Every function is total: where nothing can
be said the value is None and the reason is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, log, log10, sqrt

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.interval import Z95

#: Normalised Elo is this times (mean - 1/2) / sd of a game's score: 800 / ln 10.
NELO = 800 / log(10)


@dataclass(frozen=True)
class Estimate:
    """A value with half the width of its 95 % interval; None, with the reason, for what is not."""

    value: float | None
    error: float | None = None
    reason: str = ""


def expected_score(elo: float) -> float:
    """The score that a difference in logistic Elo stands for, from 0 to 1.

    >>> expected_score(0)
    0.5
    """
    power = 10 ** (-abs(elo) / 400)  # not of the other sign, which overflows
    return (1 if elo >= 0 else power) / (1 + power)


def elo_of(score: float) -> float | None:
    """The logistic Elo difference of a score; None for 0 and 1, where it has no bound, and beyond.

    >>> elo_of(0.5)
    0.0
    """
    return 400 * log10(score / (1 - score)) if 0 < score < 1 else None


def moments(counts: Sequence[int | float]) -> tuple[float, float, float]:
    """The number of observations, their mean score, and its variance; zeros without any."""
    scores = grid.scores(counts)
    total = float(sum(counts))
    if not total:
        return 0.0, 0.0, 0.0
    mean = sum(c * a for c, a in zip(counts, scores, strict=True)) / total
    if sum(map(bool, counts)) == 1:
        return total, mean, 0.0  # which the sum below may miss by a rounding error
    variance = sum(c * (a - mean) ** 2 for c, a in zip(counts, scores, strict=True)) / total
    return total, mean, variance


def elo_estimate(counts: Sequence[int]) -> Estimate:
    """Logistic Elo with the symmetric error of fastchess and fishtest.

    The error is (Elo(m + z se) - Elo(m - z se)) / 2 for the mean m and its standard error se; None
    where that interval leaves what scores can be.
    """
    total, mean, variance = moments(counts)
    if not total:
        return Estimate(None, reason="nothing was played")
    value = elo_of(mean)
    if value is None:
        return Estimate(None, reason=_extreme(mean))
    margin = Z95 * sqrt(variance / total)
    low, high = elo_of(mean - margin), elo_of(mean + margin)
    if low is None or high is None:
        return Estimate(value, reason="too few results for an error")
    return Estimate(value, (high - low) / 2)


def nelo_estimate(counts: Sequence[int]) -> Estimate:
    """Normalised Elo: the mean above 1/2 in standard deviations of a single game's score.

    The standard deviation is taken as known in the error, as fastchess does (Van den Bergh,
    "Normalized Elo"). UsageError unless the counts are of games or of pairs.
    """
    total, mean, variance = moments(counts)
    games = games_per_observation(counts)
    if not total:
        return Estimate(None, reason="nothing was played")
    if not variance:
        return Estimate(None, reason="all results were the same")
    deviation = sqrt(variance * games)
    return Estimate(
        NELO * (mean - 0.5) / deviation, NELO * Z95 * sqrt(variance / total) / deviation
    )


def likelihood_of_superiority(counts: Sequence[int]) -> float | None:
    """The normal probability that the true score is above 1/2; None if nothing was played."""
    total, mean, variance = moments(counts)
    if not total:
        return None
    if not variance:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return erfc((0.5 - mean) / sqrt(2 * variance / total)) / 2


def games_per_observation(counts: Sequence[int | float]) -> int:
    """One for three cells, two for five: normalised Elo is of a single game's deviation."""
    if len(counts) not in (3, 5):
        raise UsageError(f"normalised Elo is of 3 cells or of 5, not of {len(counts)}")
    return len(counts) // 2


def _extreme(mean: float) -> str:
    return "won everything" if mean else "lost everything"
