"""Compare the mean scores of several players that met the same opponents.

A player's mean score is the mean, over its opponents, of its expected score against each. Every
pairing is a sample of its own, so the variance of the difference of two means is a sum over their
pairings (stratified sampling: Cochran, "Sampling Techniques", 1977, chapter 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from arena.stats import grid
from arena.stats.independence import Observations
from arena.stats.ranks import Two, critical_value
from arena.stats.summation import added

#: No score from 0 to 1 varies more.
MAX_VARIANCE = 0.25


class Mean(NamedTuple):
    """The mean score of a pairing, from the view of its first player, and the mean's variance."""

    score: float
    variance: float


class MeanDifference(NamedTuple):
    """How much better one mean is than another one, and the variance of that."""

    value: float
    variance: float

    @property
    def statistic(self) -> float:
        """The difference in standard errors."""
        return self.value / sqrt(self.variance)


def averaged(differences: Sequence[MeanDifference]) -> MeanDifference:
    """Return the mean of independent differences, each weighted alike."""
    number = len(differences)
    return MeanDifference(
        added(each.value for each in differences) / number,
        added(each.variance for each in differences) / number**2,
    )


def mean_of(observed: Observations, extra: float) -> Mean:
    """Return the mean of a pairing, with ``extra`` observations of the worst and best score.

    The variance of an observation is the unbiased one, but at most 1/4: so a single observation
    says little.
    """
    counts = grid.padded(observed.counts, extra)
    total, mean, variance = grid.moments(counts, observed.scores)
    return Mean(mean, min(MAX_VARIANCE, variance * total / (total - 1)) / total)


def common_opponents(ranked: Sequence[int], pairings: Mapping[Two, Observations]) -> set[int]:
    """Return the players that every one of ``ranked`` met, but for itself."""
    opponents: dict[int, set[int]] = {}
    for a, b in pairings:
        opponents.setdefault(a, {a}).add(b)
        opponents.setdefault(b, {b}).add(a)
    alike = [opponents.get(player, {player}) for player in ranked]
    return set.intersection(*alike) if alike else set()


def differences(
    ranked: Sequence[int], pairings: Mapping[Two, Observations]
) -> dict[Two, float] | None:
    """Return how much better each player's mean score is than each other's, in standard errors.

    See :func:`mean_differences`.
    """
    means = mean_differences(ranked, pairings)
    return None if means is None else {two: each.statistic for two, each in means.items()}


def mean_differences(
    ranked: Sequence[int], pairings: Mapping[Two, Observations]
) -> dict[Two, MeanDifference] | None:
    """Return how much better each player's mean score is than each other's.

    ``pairings`` has the observations of two players from the first one's view, and also from the
    second one's where what one wins the other does not lose. The means are over the opponents that
    all of ``ranked`` met, or None if there are no such opponents.

    The z²/2 observations of the worst and of the best score that a comparison adds are shared out
    over the m pairings that it draws on (Price and Bonett, Computational Statistics and Data
    Analysis 45, 2004, after Agresti and Coull). Z is the critical value for all comparisons.
    """
    opponents = common_opponents(ranked, pairings)
    share = {player: len(opponents - {player}) for player in ranked}
    if not all(share.values()):
        return None
    pairs = list(combinations(ranked, 2))
    drawn_on = [share[a] + share[b] - ({a, b} <= opponents) for a, b in pairs]
    extra = critical_value(len(pairs)) ** 2 / 2 / min(drawn_on, default=1)
    means = _both_ways(pairings, extra)
    value, variance = dict.fromkeys(ranked, 0.0), dict.fromkeys(ranked, 0.0)
    for player in ranked:
        player_means = [means[player, other] for other in sorted(opponents - {player})]
        value[player] = added(mean.score for mean in player_means) / len(player_means)
        variance[player] = added(mean.variance for mean in player_means) / len(player_means) ** 2
    gaps = {}
    for a, b in pairs:
        spread = variance[a] + variance[b]
        if {a, b} <= opponents:  # what one wins the other loses, at the most (Cauchy and Schwarz)
            both = sqrt(means[a, b].variance * means[b, a].variance)
            spread += 2 * both / (share[a] * share[b])
        gaps[a, b] = MeanDifference(value[a] - value[b], spread)
    return gaps


def _both_ways(pairings: Mapping[Two, Observations], extra: float) -> dict[Two, Mean]:
    """Return the mean of every pairing from the view of either player."""
    means = {}
    for (a, b), observed in pairings.items():
        mean = means[a, b] = mean_of(observed, extra)
        if (b, a) not in pairings:
            means[b, a] = Mean(1 - mean.score, mean.variance)
    return means
