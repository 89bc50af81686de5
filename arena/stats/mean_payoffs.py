"""Compare the mean payoffs of players that met in blocks, some of them in the same ones.

A player's value is its mean payoff over the blocks in which it played. Two players that sat at one
table share the block's luck and opponents, so there their difference is observed as one number.
Blocks in which one of the two sat alone are samples of their own (Cochran, "Sampling Techniques",
1977, chapter 5). Tables differ, and the variance about the mean of all of them is at least the one
within them: so the tests err on the safe side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from arena.stats import grid
from arena.stats.differences import mean_of
from arena.stats.independence import Observations
from arena.stats.interval import score_interval
from arena.stats.ranks import Two, critical_value

#: The mean scores of the players in a block, from 0 to 1, by their numbers: pairs, by the first.
ScoreBlock = tuple[tuple[int, Fraction], ...]


class MeanInterval(NamedTuple):
    """A mean score from 0 to 1 and its 95 % interval."""

    score: float
    low: float
    high: float


def interval_of(blocks: Mapping[ScoreBlock, int], player: int) -> MeanInterval | None:
    """Return a player's mean score over the blocks in which it played, None without one.

    >>> interval_of({((0, Fraction(1)), (1, Fraction(0))): 90}, 0).score
    1.0
    """
    scores: Counter[float] = Counter()
    for block, number in blocks.items():
        scores.update({float(score): number for who, score in block if who == player})
    seen = _table(scores, 0.0, 1.0)
    ends = score_interval(seen.counts, scores=seen.scores)
    return None if ends is None else MeanInterval(grid.moments(*seen)[1], *ends)


def differences(blocks: Mapping[ScoreBlock, int], players: Sequence[int]) -> dict[Two, float]:
    """Return how much better each player's mean score is than each other's, in standard errors.

    ``blocks`` counts how often each result of a block occurred. Every player has played one. The
    z²/2 observations of the worst and of the best score that a comparison adds are shared out over
    the samples that it draws on, as in :func:`arena.stats.differences.differences`.
    """
    pairs = list(combinations(players, 2))
    played = Counter[int]()
    for block, number in blocks.items():
        played.update({player: number for player, _ in block})
    extra = critical_value(len(pairs)) ** 2 / 2
    return {both: _standard_difference(blocks, both, played, extra) for both in pairs}


def _standard_difference(
    blocks: Mapping[ScoreBlock, int], both: Two, played: Mapping[int, int], extra: float
) -> float:
    """Return the difference of two means, in standard errors.

    Every block adds to the difference a's score over the number of a's blocks, less b's over the
    number of b's.
    """
    a, b = both
    most, least = 1 / played[a], -1 / played[b]
    samples: dict[tuple[bool, bool], Counter[float]] = {}
    for block, number in blocks.items():
        scores = dict(block)
        present = a in scores, b in scores
        if any(present):
            adds = float(scores.get(a, 0)) * most + float(scores.get(b, 0)) * least
            samples.setdefault(present, Counter())[adds] += number
    difference = variance = 0.0
    for (has_a, has_b), adds_of in samples.items():
        low, high = least if has_b else 0.0, most if has_a else 0.0
        scaled = Counter[float]()
        for adds, number in adds_of.items():
            scaled[min(1.0, max(0.0, (adds - low) / (high - low)))] += number
        mean = mean_of(_table(scaled, 0.0, 1.0), extra / len(samples))
        number = adds_of.total()
        difference += number * (low + (high - low) * mean.score)
        variance += (number * (high - low)) ** 2 * mean.variance
    return difference / sqrt(variance)


def _table(scores: Mapping[float, int], least: float, most: float) -> Observations:
    """Return how many blocks have each score, with the worst and the best one in any case."""
    counts = sorted(({least: 0, most: 0} | dict(scores)).items())
    return Observations(tuple(n for _, n in counts), tuple(x for x, _ in counts))
