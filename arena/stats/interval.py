"""Interval estimates of a score."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from arena.stats import grid

#: The 97.5 % quantile of the normal distribution: two-sided 95 %.
Z95 = 1.959963984540054

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
    see :mod:`arena.stats.sequential_estimate`.

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


def interval_within(
    counts: Sequence[float],
    scores: Sequence[float],
    ends: tuple[float, float],
    z: float = Z95,
) -> tuple[float, float] | None:
    """Return the interval for a mean that lies between these ends, or None without any score.

    Single scores may lie beyond them, as those without luck do. The interval is that of
    :func:`score_interval` with the added observations at the ends of the mean. ``z`` is the normal
    quantile of the confidence, by default of 95 %.

    >>> low, high = interval_within([2, 5, 3], [-1, 0.5, 2], (0, 1))
    >>> round(low, 3), round(high, 3)
    (0.117, 1)
    """
    if not sum(counts):
        return None
    low, high = ends
    table = dict(zip(scores, map(float, counts), strict=True))
    for end in ends:
        table[end] = table.get(end, 0.0) + z**2 / 2
    values = sorted(table)
    total, mean, variance = grid.moments([table[value] for value in values], values)
    margin = z * sqrt(variance / total)
    return max(low, mean - margin), min(high, mean + margin)
