"""Hold a matrix of scores with a simultaneous band, and the votes that tasks cast by theirs.

The intervals of all entries hold together: each takes as many standard errors as the largest of
all must reach (Bonferroni), with the observations of the worst and the best score that Agresti and
Coull add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from arena.stats import grid
from arena.stats.adding import added
from arena.stats.differences import mean_of
from arena.stats.independence import Observations
from arena.stats.interval import interval_within
from arena.stats.polytope import EQUAL, Floats
from arena.stats.ranks import Two


class Span(NamedTuple):
    """A mean score and the ends of its interval."""

    score: float
    low: float
    high: float


#: A score that nothing is known of.
UNPLAYED_SPAN = Span(0.5, 0.0, 1.0)


class Band(NamedTuple):
    """A matrix of scores, and the ends of its entries."""

    score: Floats
    low: Floats
    high: Floats


def band_of(players: int, spans: Mapping[Two, Span]) -> Band:
    """Return the scores of each player against each other one. A player scores 1/2 against itself.

    ``spans`` has the scores of the first of two. Where it has none, the score is
    :data:`UNPLAYED_SPAN`.
    """
    score = np.full((players, players), UNPLAYED_SPAN.score)
    low, high = np.full_like(score, UNPLAYED_SPAN.low), np.full_like(score, UNPLAYED_SPAN.high)
    np.fill_diagonal(low, 0.5)
    np.fill_diagonal(high, 0.5)
    for (a, b), span in spans.items():
        score[a, b], low[a, b], high[a, b] = span
        score[b, a], low[b, a], high[b, a] = 1 - span.score, 1 - span.high, 1 - span.low
    return Band(score, low, high)


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


def votes(scores: Band) -> Band:
    """Return the share of tasks that place each agent above each other one.

    ``scores`` has a row for each agent and a column for each task. A task in which two score alike
    counts as a half for each, and so does one whose intervals do not say, between 0 and 1.

    >>> ones, zeros = np.ones((1, 2)), np.zeros((1, 2))
    >>> band = Band(*[np.concatenate([ones, zeros])] * 3)
    >>> votes(band).score.tolist()
    [[0.5, 1.0], [0.0, 0.5]]
    """
    surely = (scores.low[:, None] > scores.high[None] + EQUAL).mean(axis=2)
    above = scores.score[:, None] > scores.score[None] + EQUAL
    level = ~above & ~above.swapaxes(0, 1)
    high = 1 - surely.T
    np.fill_diagonal(surely, 0.5)
    np.fill_diagonal(high, 0.5)
    return Band((above + level / 2).mean(axis=2), surely, high)
