"""Exact binomial p-values, and the bound on a loss rate after games without a loss."""

from __future__ import annotations

from math import exp, expm1, lgamma, log, log1p, pi

from arena.errors import UsageError
from arena.stats.summation import added


def loss_bound(games: int, confidence: float = 0.95) -> float:
    """Return the share of games that a player may lose and still have lost none of these.

    This is the one-sided bound of Clopper and Pearson (Biometrika 26, 1934) for no loss at all:
    the truth is below it with probability ``confidence``. Without games it is 1. Raises UsageError
    if ``games`` is negative or ``confidence`` is not between 0 and 1.

    >>> round(loss_bound(2000), 6)
    0.001497
    """
    if games < 0 or not 0 < confidence < 1:
        raise UsageError(f"{games} games have no bound of confidence {confidence}")
    return -expm1(log(1 - confidence) / games) if games else 1.0


def tail_p(successes: int, trials: int, p: float) -> float:
    """Return the two-sided exact p-value of a count: twice the smaller tail, at most 1.

    ``p`` is the probability of a success. Sums the terms away from the mean by their ratios, with
    about ``sqrt(trials)`` additions, so that a probability of 1e-300 keeps its digits. Raises
    UsageError if the count is outside of 0 to ``trials`` or ``p`` is not a probability.

    >>> tail_p(0, 10, 0.5)
    0.001953125
    """
    if not 0 <= successes <= trials or not 0 <= p <= 1:
        raise UsageError(f"{successes} of {trials} is not a count at probability {p}")
    mean = trials * p
    if successes == mean:
        return 1.0
    if p in (0, 1):
        return 0.0
    odds = p / (1 - p)
    if successes < mean:
        rest, right, odds = successes, trials - successes, 1 / odds
    else:
        rest, right = trials - successes, successes
    # The smaller tail lies away from the mean: the median is at most 1 away from it.
    term = total = 1.0
    while rest and term > 1e-17 * total:
        right += 1
        term *= odds * rest / right
        rest -= 1
        total += term
    return min(1.0, 2 * exp(_log_probability(successes, trials, p) + log(total)))


def _log_probability(successes: int, trials: int, p: float) -> float:
    """Return the logarithm of one binomial probability, for p above 0 and below 1.

    Source: Loader, "Fast and accurate computation of binomial probabilities" (2000), which avoids
    the differences of large factorials.
    """
    failures = trials - successes
    if not successes or not failures:
        return trials * (log(p) if successes else log1p(-p))
    stirling = _stirling_error(trials) - _stirling_error(successes) - _stirling_error(failures)
    ways = log(trials / (2 * pi * successes) / failures) / 2 + stirling
    return ways - _deviance(successes, trials * p) - _deviance(failures, trials * (1 - p))


def _deviance(count: int, mean: float) -> float:
    """Return count log(count / mean) + mean - count, which vanishes where the two are equal."""
    excess = (mean - count) / count
    if abs(excess) > 0.1:
        return count * (log(count) - log(mean)) + mean - count
    return -count * _log1p_less(excess)


def _log1p_less(u: float) -> float:
    """Return log(1 + u) - u, by its series where the two are close."""
    if abs(u) > 0.1:
        return log1p(u) - u
    return -added((-u) ** k / k for k in range(2, 18))


def _stirling_error(z: float) -> float:
    """Return the error of Stirling's formula for log Gamma(z)."""
    if z < 15:
        return lgamma(z) - (z - 0.5) * log(z) + z - log(2 * pi) / 2
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * z * z)) / (z * z)) / (z * z)) / z
