"""Plan the pairs per pairing after which every entrant of a round robin has a rank of its own.

All differences of two neighbours must be sure at once. The chance that one is missed is at most the
sum of the chances for each (Hsu, "Multiple Comparisons", 1996, chapter 5: all-pairs power), each
that of a normal variable. Without the added observations of :mod:`arena.stats.differences`, and
with the same variance everywhere, the number is ((z1 + z2) deviation / difference)²: z1 is the
critical value of Holm's test when only the neighbours are left, and z2 the quantile of the chance
to miss one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import ceil, exp, sqrt
from statistics import NormalDist

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.elo import NELO, elo_of, expected_score
from arena.stats.plan import MAX_OBSERVATIONS, TOO_MANY_PAIRS, SampleSize
from arena.stats.ranks import ERROR, critical_value
from arena.stats.sprt import MAX_ELO
from arena.stats.summation import added

#: The chance that all ranks are distinct.
POWER = 0.8

MAX_PLANNED_ENTRANTS = 1000

#: Laws are tilted by no more than this, to where nearly all has the best score.
MAX_TILT = 200.0


def pairs_for_ranks(
    entrants: int,
    elo_gap: float,
    law: Sequence[float],
    power: float = POWER,
    scores: Sequence[float] | None = None,
) -> SampleSize:
    """Return the pairs per pairing after which all ranks are distinct, with a chance of ``power``.

    The entrants are ``elo_gap`` Elo from neighbour to neighbour. ``law`` has the shares, or counts,
    of pairs by their score, from 0 to 1. For each pairing it is tilted to the mean score there.
    ``scores`` are as in :mod:`arena.stats.grid`.

    >>> pairs_for_ranks(8, 20, [5, 25, 40, 25, 5]).number
    422
    """
    _check(entrants, elo_gap, power)
    if not (law[0] and law[-1]):
        return SampleSize(None, "the law of results has no worst or no best one")
    chain = _Chain(entrants, elo_gap, law, grid.scores(law, scores))
    low, high = 0.0, 1.0
    while chain.miss_chance(high) > 1 - power:
        low, high = high, 2 * high
        if high > MAX_OBSERVATIONS:
            return SampleSize(None, TOO_MANY_PAIRS)
    while high - low > max(0.1, 1e-9 * high):
        middle = (low + high) / 2
        low, high = (middle, high) if chain.miss_chance(middle) > 1 - power else (low, middle)
    return SampleSize(max(1, ceil(high)))


def elo_of_normalized(nelo: float, law: Sequence[float], scores: Sequence[float]) -> float | None:
    """Return the Elo with the expected score of this normalised Elo, None beyond any score.

    The variance is that of the law of pairs, tilted to an even score.

    >>> round(elo_of_normalized(20, [5, 25, 40, 25, 5], [0, 0.25, 0.5, 0.75, 1]) or 0, 2)
    13.42
    """
    score = 0.5 + nelo * sqrt(2 * _variance(law, scores, 0.5)) / NELO
    return elo_of(score) if score < 1 else None


class _Chain:
    """Entrants from the strongest down, each as far above the next one."""

    def __init__(
        self, entrants: int, elo_gap: float, law: Sequence[float], values: Sequence[float]
    ) -> None:
        self._entrants = entrants
        differences = entrants * (entrants - 1) // 2
        #: The critical value when all but the differences of neighbours are decided.
        self._critical = -NormalDist().inv_cdf(ERROR / (differences + entrants - 1))
        #: Observations of the worst and of the best score that are added to each pairing.
        self._extra = critical_value(differences) ** 2 / 2 / (2 * entrants - 3)
        #: The expected score against the entrant this many steps below.
        self._scores = [expected_score(elo_gap * steps) for steps in range(1, entrants)]
        self._variances = {score: _variance(law, values, score) for score in self._scores}
        above = [0.0, *accumulate(1 - score for score in self._scores)]
        below = [0.0, *accumulate(self._scores)]
        means = [(above[a] + below[-1 - a]) / (entrants - 1) for a in range(entrants)]
        self._gaps = [higher - lower for higher, lower in pairwise(means)]

    def miss_chance(self, pairs: float) -> float:
        """Return the most that the chance to miss a difference can be after this many pairs."""
        total = pairs + 2 * self._extra
        seen = self._spreads(lambda score: self._seen(score, pairs))
        true = self._spreads(lambda score: pairs * self._variances[score] / total**2)
        normal = NormalDist()
        return added(
            normal.cdf((self._critical * spread - gap * pairs / total) / deviation)
            for gap, spread, deviation in zip(self._gaps, seen, true, strict=True)
        )

    def _seen(self, score: float, pairs: float) -> float:
        """Return the variance that a mean score seems to have, with the added observations."""
        extra, total = 2 * self._extra, pairs + 2 * self._extra
        shift = extra * pairs / total * (score - 0.5) ** 2
        return (pairs * self._variances[score] + extra / 4 + shift) / max(total - 1, 0.1) / total

    def _spreads(self, variance: Callable[[float], float]) -> list[float]:
        """Return the standard error of each neighbours' difference, by the variance of a score."""
        sums = [0.0, *accumulate(map(variance, self._scores))]
        variances = [sums[a] + sums[-1 - a] for a in range(self._entrants)]
        twice = 2 * variance(self._scores[0])  # what one wins of the other counts for both
        return [
            sqrt(one + other + twice) / (self._entrants - 1) for one, other in pairwise(variances)
        ]


def _variance(law: Sequence[float], values: Sequence[float], mean: float) -> float:
    """Return the variance of a law that is tilted exponentially to a mean score."""
    low, high = -MAX_TILT, MAX_TILT
    for _ in range(60):
        tilt = (low + high) / 2
        tilted = [
            share * exp(tilt * (value - mean)) for share, value in zip(law, values, strict=True)
        ]
        _, tilted_mean, variance = grid.moments(tilted, values)
        low, high = (tilt, high) if tilted_mean < mean else (low, tilt)
    return variance


def _check(entrants: int, elo_gap: float, power: float) -> None:
    if not 2 <= entrants <= MAX_PLANNED_ENTRANTS:
        raise UsageError(f"entrants {entrants} must be from 2 to {MAX_PLANNED_ENTRANTS}")
    if not 0 < elo_gap <= MAX_ELO:
        raise UsageError(f"apart {elo_gap:g} must be a number of Elo above 0, at most {MAX_ELO:g}")
    if not 0 < power < 1:
        raise UsageError(f"power {power} must be between 0 and 1")
