"""Interval estimates of a score."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from arena.stats import grid

#: The 97.5 % quantile of the normal distribution: two-sided 95 %.
Z95 = 1.959963984540054

#: A variance of fewer observations is not relied on without observations of the worst and the best
#: score that are added.
MIN_STUDENT = 20

#: Observations of the worst and of the best score that Agresti and Coull add for 95 %.
AGRESTI_COULL = Z95**2 / 2


def score_interval(
    counts: Sequence[float],
    *,
    scores: Sequence[float] | None = None,
    extra: float | None = None,
    z: float = Z95,
) -> tuple[float, float] | None:
    """Return the interval for a mean score, from how often each score occurred, or None without
    any.

    ``counts[i]`` counts the score ``scores[i]``, by default i/(K-1): three cells for games, five
    for pairs (pentanomial). Pairs, not games, are independent: their two games share what the
    players are. The number of observations must not depend on the results. After a sequential test
    see :mod:`arena.stats.stopped`.

    The adjusted Wald interval of Agresti and Coull (The American Statistician 52, 1998, 119-126):
    ``extra`` observations of the worst and of the best score are added to the data, and the normal
    interval of the result is cut at the worst and the best score. So it has a width when every
    score was the same, and errs on the wide side. ``z`` is the normal quantile of the confidence,
    and ``extra`` is half its square if it is not given.

    >>> low, high = score_interval([0, 0, 0, 0, 1000])
    >>> round(low, 4), high
    (0.9954, 1.0)
    """
    values = grid.scores(counts, scores)
    if not sum(counts):
        return None
    added = z**2 / 2 if extra is None else extra
    total, mean, variance = grid.moments(grid.padded(counts, added), values)
    margin = z * sqrt(variance / total)
    return max(values[0], mean - margin), min(values[-1], mean + margin)


def student_interval(
    counts: Sequence[float], *, scores: Sequence[float]
) -> tuple[float, float] | None:
    """Return the 95 % interval for the mean of scores that vary much less than their bounds allow.

    Student's interval ("The probable error of a mean", Biometrika 6, 1908), from MIN_STUDENT
    observations on, else :func:`score_interval`. It needs no bounds and is approximate where the
    scores are not normal: docs/coverage.md has its coverage for corrected payoffs.

    >>> low, high = student_interval([10, 10], scores=[0.25, 0.75])
    >>> round(low, 3), round(high, 3)
    (0.38, 0.62)
    """
    total, mean, variance = grid.moments(counts, scores)
    if total < MIN_STUDENT:
        return score_interval(counts, scores=scores)
    margin = student_quantile(total - 1) * sqrt(variance / (total - 1))
    return max(scores[0], mean - margin), min(scores[-1], mean + margin)


def student_quantile(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's distribution with so many degrees of freedom.

    It is the expansion of Fisher and Cornish, 26.7.5 of Abramowitz and Stegun, "Handbook of
    mathematical functions" (1964), for at least MIN_STUDENT - 1 of them.

    >>> round(student_quantile(19), 3), round(student_quantile(1e9), 3)
    (2.093, 1.96)
    """
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))
