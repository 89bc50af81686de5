"""Hold a matrix of scores with a band, and the votes that tasks cast by theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from arena.arrays import Floats
from arena.stats.polytope import EQUAL
from arena.stats.ranks import Two
from arena.stats.spans import UNPLAYED_SPAN, Span


class Band(NamedTuple):
    """A matrix of scores, and the ends of its entries."""

    score: Floats
    low: Floats
    high: Floats


def band_of(players: int, spans: Mapping[Two, Span]) -> Band:
    """Return the scores of each player against each other one. A player scores 1/2 against itself.

    ``spans`` has the scores of the first of two. Where it has none, the score is
    :data:`arena.stats.spans.UNPLAYED_SPAN`.
    """
    score = np.full((players, players), UNPLAYED_SPAN.score)
    low, high = np.full_like(score, UNPLAYED_SPAN.low), np.full_like(score, UNPLAYED_SPAN.high)
    np.fill_diagonal(low, 0.5)
    np.fill_diagonal(high, 0.5)
    for (a, b), span in spans.items():
        score[a, b], low[a, b], high[a, b] = span
        score[b, a], low[b, a], high[b, a] = 1 - span.score, 1 - span.high, 1 - span.low
    return Band(score, low, high)


def votes(scores: Band) -> Band:
    """Return the share of tasks that place each agent above each other one.

    ``scores`` has a row for each agent and a column for each task. A task in which two score alike
    counts as a half for each. A vote is sure where the intervals of two agents do not meet.

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
