"""Exact bounds of a probability from how often something happened (Clopper and Pearson)."""

from __future__ import annotations

from math import exp, expm1, log

from arena.errors import UsageError
from arena.stats.beta import incomplete_beta


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
