"""Give scores intervals that are parts of a simultaneous band.

The intervals of all entries hold together: each takes as many standard errors as the largest of
all must reach (Bonferroni), with the observations of the worst and the best score that Agresti and
Coull add.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from arena.stats import grid
from arena.stats.differences import mean_of
from arena.stats.independence import Observations
from arena.stats.interval import interval_within
from arena.stats.summation import added


class Span(NamedTuple):
    """A mean score and the ends of its interval."""

    score: float
    low: float
    high: float


#: A score that nothing is known of.
UNPLAYED_SPAN = Span(0.5, 0.0, 1.0)


def mean_span(samples: Sequence[Observations], z: float) -> Span:
    """Return the mean of the mean scores of independent samples, within z standard errors.

    The z²/2 observations that are added at each end are shared out over the samples, as in
    :func:`arena.stats.differences.mean_differences`.

    >>> span = mean_span([Observations((0, 0, 100), (0, 0.5, 1))], 1.96)
    >>> span.score, round(span.low, 3), span.high
    (1.0, 0.955, 1.0)
    """
    score = added(grid.moments(*sample)[1] for sample in samples) / len(samples)
    if any(sample.scores[0] < 0 or sample.scores[-1] > 1 for sample in samples):
        return _mean_within(samples, score, z)
    means = [mean_of(sample, z * z / 2 / len(samples)) for sample in samples]
    centre = added(mean.score for mean in means) / len(means)
    margin = z * sqrt(added(mean.variance for mean in means)) / len(means)
    return _cut(score, centre - margin, centre + margin)


def _mean_within(samples: Sequence[Observations], score: float, z: float) -> Span:
    """Return the span where single scores lie beyond 0 and 1, as those without luck do."""
    ends = [interval_within(*sample, (0.0, 1.0), z) or (0.0, 1.0) for sample in samples]
    low, high = (added(each) / len(samples) for each in zip(*ends, strict=True))
    return _cut(min(1.0, max(0.0, score)), low, high)


def _cut(score: float, low: float, high: float) -> Span:
    return Span(score, max(0.0, min(low, score)), min(1.0, max(high, score)))
