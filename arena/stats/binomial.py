"""Exact binomial probabilities, and bounds of a probability (Clopper and Pearson)."""

from __future__ import annotations

from math import exp, expm1, log, log1p, pi

from arena.errors import UsageError
from arena.stats.beta import incomplete_beta, log1p_less, stirling_error


def upper_bound(times: int, trials: int, confidence: float = 0.95) -> float:
    """The one-sided Clopper-Pearson bound: what happens more often than this is not believable.

    With probability ``confidence`` or more it is above the truth (Clopper and Pearson, Biometrika
    26, 1934). Without trials it is 1.

    >>> round(upper_bound(0, 2000), 6)
    0.001497
    """
    _check(times, trials, confidence)
    if times == trials:
        return 1.0
    if times == 0:
        return -expm1(log(1 - confidence) / trials)
    return _beta_quantile(confidence, times + 1, trials - times)


def lower_bound(times: int, trials: int, confidence: float = 0.95) -> float:
    """The one-sided bound from below; without trials it is 0."""
    _check(times, trials, confidence)
    if times == 0:
        return 0.0
    if times == trials:
        return exp(log(1 - confidence) / trials)
    return _beta_quantile(1 - confidence, times, trials - times + 1)


def binomial_cdf(times: int, trials: int, p: float) -> float:
    """The probability of at most so many successes: the incomplete beta function I(1-p; n-k, k+1).

    >>> round(binomial_cdf(1, 3, 0.5), 6)
    0.5
    """
    if trials < 0 or not 0 <= p <= 1:
        raise UsageError(f"there are no {trials} trials of probability {p}")
    if times < 0:
        return 0.0
    if times >= trials or p == 0:
        return 1.0
    # Of the upper tail, whose argument is p itself: 1 - p has no digits of a small p.
    return 1 - incomplete_beta(p, times + 1, trials - times)


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
        left, right, odds = successes, trials - successes, 1 / odds
    else:
        left, right = trials - successes, successes
    # The smaller tail lies away from the mean: the median is at most 1 away from it.
    term = total = 1.0
    while left and term > 1e-17 * total:
        right += 1
        term *= odds * left / right
        left -= 1
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
    stirling = stirling_error(trials) - stirling_error(successes) - stirling_error(failures)
    ways = log(trials / (2 * pi * successes) / failures) / 2 + stirling
    return ways - _deviance(successes, trials * p) - _deviance(failures, trials * (1 - p))


def _deviance(count: int, mean: float) -> float:
    """Return count log(count / mean) + mean - count, which vanishes where the two are equal."""
    excess = (mean - count) / count
    if abs(excess) > 0.1:
        return count * (log(count) - log(mean)) + mean - count
    return -count * log1p_less(excess)


def _beta_quantile(level: float, a: int, b: int) -> float:
    """By bisection; the incomplete beta function rises from 0 to 1."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if incomplete_beta(middle, a, b) < level:
            low = middle
        else:
            high = middle


def _check(times: int, trials: int, confidence: float) -> None:
    if not 0 <= times <= trials:
        raise UsageError(f"{times} is not a number of times out of {trials}")
    if not 0 < confidence < 1:
        raise UsageError(f"confidence {confidence} must lie between 0 and 1")
