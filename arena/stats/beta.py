"""The incomplete beta function, for arguments as large as counts of games."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, log1p, pi, sqrt

#: Where both arguments are larger, the normal approximation is as good as the fraction, and quick.
LARGE = 1000


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised I(x; a, b) for positive a and b: the distribution of a beta variable at x.

    By its continued fraction (Numerical Recipes, 6.4), on the side where that is quick.

    >>> round(incomplete_beta(0.5, 2, 2), 6)
    0.5
    """
    if not 0 < x < 1:
        return float(x >= 1)
    if min(a, b) > LARGE:
        return _peizer_pratt(x, a, b)
    front = _front(x, a, b)
    if x < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(x, a, b) / a)
    return max(0.0, 1 - front * _fraction(1 - x, b, a) / b)


def _front(x: float, a: float, b: float) -> float:
    """x^a (1-x)^b / B(a, b), without the loss of digits that differences of lgamma bring.

    The saddle point of Loader, "Fast and accurate computation of binomial probabilities" (2000).
    """
    excess = (a + b) * x - a
    if excess <= -a or excess >= b:
        return 0.0
    deviance = a * log1p_less(excess / a) + b * log1p_less(-excess / b)
    stirling = stirling_error(a + b) - stirling_error(a) - stirling_error(b)
    return sqrt(a / (a + b) * b / (2 * pi)) * exp(deviance + stirling)


def log1p_less(u: float) -> float:
    """Return log(1 + u) - u, by its series where the two are close."""
    if abs(u) > 0.1:
        return log1p(u) - u
    return -sum((-u) ** k / k for k in range(2, 18))


def stirling_error(z: float) -> float:
    """Return the error of Stirling's formula for log Gamma(z)."""
    if z < 15:
        return lgamma(z) - (z - 0.5) * log(z) + z - log(2 * pi) / 2
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * z * z)) / (z * z)) / (z * z)) / z


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


def _peizer_pratt(x: float, a: float, b: float) -> float:
    """The normal approximation of Peizer and Pratt (JASA 63, 1968), Abramowitz and Stegun 26.5."""
    y, s, t, n = 1 - x, b - 0.5, a - 0.5, a + b - 1
    distance = s + 1 / 6 - (n + 1 / 3) * y
    distance += 0.02 * (x / (s + 0.5) - y / (t + 0.5) + (x - 0.5) / (n + 1))
    if n * y == 0:
        return 1.0
    shape = 1 + x * _skew(s / (n * y)) + y * _skew(t / (n * x))
    return erfc(-distance * sqrt(max(shape, 0.0) / ((n + 1 / 6) * x * y)) / sqrt(2)) / 2


def _skew(x: float) -> float:
    """(1 - x^2 + 2 x log x) / (1 - x)^2, by its series around 1."""
    e = x - 1
    if abs(e) > 0.1:
        return (1 - x * x + 2 * x * log(x)) / (e * e)
    return sum(2 * (-e) ** k / ((k + 1) * (k + 2)) for k in range(1, 18))
