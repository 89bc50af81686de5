"""Exact bounds of a probability from how often something happened."""

from __future__ import annotations

from math import exp, expm1, lgamma, log, log1p


def upper_bound(times: int, trials: int, confidence: float = 0.95) -> float:
    """The one-sided Clopper-Pearson bound: what happens more often than this is not believable.

    With probability ``confidence`` or more it is above the truth (Clopper and Pearson, Biometrika
    26, 1934). Without trials it is 1.

    >>> round(upper_bound(0, 2000), 6)
    0.001497
    """
    if times >= trials:
        return 1.0
    if times == 0:
        return -expm1(log(1 - confidence) / trials)
    low, high = times / trials, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if binomial_cdf(times, trials, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def lower_bound(times: int, trials: int, confidence: float = 0.95) -> float:
    """The one-sided bound from below; without trials it is 0."""
    return 1 - upper_bound(trials - times, trials, confidence)


def binomial_cdf(times: int, trials: int, p: float) -> float:
    """The probability of at most so many successes: the incomplete beta function I(1-p; n-k, k+1).

    >>> round(binomial_cdf(1, 3, 0.5), 6)
    0.5
    """
    if times >= trials or p <= 0:
        return 1.0
    if times < 0 or p >= 1:
        return 0.0
    return _incomplete_beta(1 - p, trials - times, times + 1)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """By its continued fraction (Numerical Recipes, 6.4), on the side where that is quick."""
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(x, a, b) / a)
    return max(0.0, 1 - front * _fraction(1 - x, b, a) / b)


def _fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for numerator in (even, odd):
            d = 1 / _away(1 + numerator * d, tiny)
            c = _away(1 + numerator / c, tiny)
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def _away(x: float, tiny: float) -> float:
    return x if abs(x) > tiny else tiny
