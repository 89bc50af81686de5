"""Find how far ratings stray from the truth where results chose the games.

Where lucky players meet each other, or a match ends when one of both is ahead, the signed root of a
rating's deviance is not normal, however many games are played. Intervals that take it for normal
hold too rarely. So the tournament is simulated many times by the ratings that it led to, and the
roots at the ratings behind the simulation give the cut-offs instead of 1.96 (the parametric
bootstrap: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12; for designs
that follow from results Chuang and Lai, Statistica Sinica 10, 2000).

Results choose most among equal players, and estimates differ more than the players do. So the
simulated ratings are drawn together to the least spread that the results allow at 99 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log

import numpy as np

from arena.dataclass import dataclass
from arena.stats.chisquare import chi_square_sf
from arena.stats.connectivity import reachable, strong_groups
from arena.stats.davidson import Array, Likelihood
from arena.stats.firth import FirthFit, fit
from arena.stats.pairings import PairingCounts, pooled
from arena.stats.profiles import Cutoffs, roots

#: Tournaments of more players are not simulated: to pair this many takes long.
MAX_SIMULATED_PLAYERS = 64

#: Simulated tournaments: enough for this number of ratings, but within these bounds.
MIN_SIMULATED_RATINGS = 1000
MIN_TOURNAMENTS, MAX_TOURNAMENTS = 30, 200

#: The least share of all these ratings that there must be: some players may never meet others.
MIN_SIMULATED_SHARE = 0.25

#: The chance that equal players seem to differ.
LEAST_SPREAD_ERROR = 0.01

#: Real players are not quite the model's, so a simulation makes intervals little shorter.
MIN_CUTOFF = 1.5

#: Decimals of a law, so that a machine's last digits do not draw other results.
DECIMALS = 3

#: Halvings of an interval that has the cut-off of a chi-square.
QUANTILE_HALVINGS = 40


@dataclass(frozen=True)
class Law:
    """The players of a simulated tournament."""

    #: By the number of the player, and what moving first adds, as natural logarithms of odds.
    ratings: tuple[float, ...]
    advantage: float
    #: Davidson's nu.
    draws: float


#: Simulates a tournament of these players, and returns its pairings.
Simulate = Callable[[Law, np.random.RandomState], Sequence[PairingCounts]]


@dataclass(frozen=True)
class AdaptiveDesign:
    """A tournament whose results chose its games, to be simulated."""

    simulate: Simulate
    seed: int


def cutoffs(
    design: AdaptiveDesign,
    likelihood: Likelihood,
    fitted: FirthFit,
    groups: Sequence[tuple[int, ...]],
) -> list[Cutoffs] | None:
    """Return the cut-offs of the ``ways`` of these groups, or None if there are none.

    So it is for a tournament that is too large, and for one of few entrants that play. All ratings
    have the same ones. ``groups`` are the players that met.
    """
    players, moved = likelihood.players, likelihood.held.size == len(groups)
    if players > MAX_SIMULATED_PLAYERS:
        return None
    several = [group for group in groups if len(group) > 1]
    law = _law(likelihood, fitted, several)
    times = -(-MIN_SIMULATED_RATINGS // players)
    rng = np.random.RandomState(design.seed % 2**32)  # whose numbers no version of NumPy changes
    tournaments = min(MAX_TOURNAMENTS, max(MIN_TOURNAMENTS, times))
    drawn = [_roots(law, design.simulate(law, rng), moved) for _ in range(tournaments)]
    simulated = [roots for roots in drawn if len(roots)]
    others = 1 + moved
    ratings = [root for roots in simulated for root in roots[:-others]]
    if len(ratings) < MIN_SIMULATED_SHARE * players * tournaments:
        return None
    rating_cutoffs = _between(np.array(ratings))
    rest = [
        _between(np.array([roots[-place] for roots in simulated])) for place in range(others, 0, -1)
    ]
    return [rating_cutoffs] * sum(map(len, several)) + rest


def _between(drawn: Array) -> Cutoffs:
    """Return the cut-offs that 95 % of the roots lie between."""
    low, high = np.quantile(drawn, (0.025, 0.975), method="weibull")
    return Cutoffs(min(-MIN_CUTOFF, float(low)), max(MIN_CUTOFF, float(high)))


def _law(likelihood: Likelihood, fitted: FirthFit, groups: Sequence[tuple[int, ...]]) -> Law:
    """Return the law of the fit, with ratings as near each other as the results allow."""
    ways = ways_of(likelihood, groups, advantage=False)[:-1]
    values = ways @ fitted.point
    errors = fitted.scale(ways) * np.einsum("ki,ij,kj->k", ways, fitted.model, ways)
    excess = float((values**2 / errors).sum())
    share = max(0.0, 1 - _chi_square(len(values) - len(groups)) / max(excess, 1e-300))
    ratings = [0.0] * likelihood.players
    for player, value in zip((p for group in groups for p in group), values, strict=True):
        ratings[player] = round(share * float(value), DECIMALS)
    advantage, draws = float(fitted.point[-2]), exp(float(fitted.point[-1]))
    return Law(tuple(ratings), round(advantage, DECIMALS), float(f"{draws:.{DECIMALS}g}"))


def _roots(law: Law, pairings: Sequence[PairingCounts], moved: bool) -> Array:
    """Return the signed roots of all ratings of a simulated tournament, at those of its law."""
    pools = pooled(len(law.ratings), pairings)
    if not pools:
        return np.zeros(0)
    played = [pair for m in pools for pair in ((m.a, m.b), (m.b, m.a))]
    every = strong_groups(reachable(len(law.ratings), played))
    groups = [group for group in every if len(group) > 1]
    likelihood = Likelihood(len(law.ratings), pools, [group[0] for group in every], moved)
    fitted = fit(likelihood, sum(map(len, groups)) - len(groups) + moved + 1)
    if fitted is None:
        return np.zeros(0)
    truth = np.array([*law.ratings, law.advantage, log(law.draws)])
    for group in every:
        truth[list(group)] -= truth[group[0]]
    ways = ways_of(likelihood, groups, moved)
    return roots(likelihood, fitted, ways, ways @ truth)


def ways_of(likelihood: Likelihood, scales: Sequence[tuple[int, ...]], advantage: bool) -> Array:
    """Return the combinations of parameters that are estimated, one a row.

    They are the players' ratings about the mean of each scale, then the advantage and log nu.
    """
    ways, rated = np.eye(likelihood.parameters), [player for scale in scales for player in scale]
    for scale in scales:
        ways[np.ix_(scale, scale)] -= 1 / len(scale)
    ways[:, likelihood.held] = 0
    return np.asarray(ways[[*rated, *([-2] * advantage), -1]])


def _chi_square(freedom: int) -> float:
    """Return the number that a chi-square with these degrees of freedom exceeds in 1 %."""
    low, high = 0.0, 10.0 + 4 * freedom
    for _ in range(QUANTILE_HALVINGS):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if chi_square_sf(middle, freedom) > LEAST_SPREAD_ERROR else (low, middle)
        )
    return high
