"""Interval estimates of a score."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from arena.stats import grid

#: The 97.5 % quantile of the normal distribution: two-sided 95 %.
Z95 = 1.959963984540054


def score_interval(counts: Sequence[int], z: float = Z95) -> tuple[float, float] | None:
    """The interval for a mean score, from how often each of K equally spaced scores occurred.

    ``counts[i]`` counts the score i/(K-1): three cells for games, five for pairs (pentanomial).
    Pairs, not games, are independent: their two games share what the players are.

    The adjusted Wald interval of Agresti and Coull (The American Statistician 52, 1998, 119-126):
    z²/2 observations of the worst and of the best score are added to the data, and the normal
    interval of what results is cut at 0 and 1. So it has a width when every score was the same, and
    errs on the wide side. None without observations.

    >>> low, high = score_interval([0, 0, 0, 0, 1000])
    >>> round(low, 4), high
    (0.9954, 1.0)
    """
    scores = grid.scores(counts)
    if not sum(counts):
        return None
    padded = list(map(float, counts))
    padded[0] += z * z / 2
    padded[-1] += z * z / 2
    n = sum(padded)
    mean = sum(c * s for c, s in zip(padded, scores, strict=True)) / n
    variance = sum(c * (s - mean) ** 2 for c, s in zip(padded, scores, strict=True)) / n
    margin = z * sqrt(variance / n)
    return max(0.0, mean - margin), min(1.0, mean + margin)
