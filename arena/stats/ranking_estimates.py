"""Estimate ratings with their intervals from rankings: the results of games for several seats.

The model is that of Davidson and Luce (:mod:`arena.stats.rankings`), the fit Firth's
(:mod:`arena.stats.firth`), and the intervals are profiles (:mod:`arena.stats.profiles`).

The games of a block may depend on each other. Therefore the deviance at the ends is 3.84 times a
factor, at least 1: how far the variance by blocks exceeds the model's (Kent, Biometrika 69, 1982).
Three amendments keep the intervals right after few blocks, where n / (n - p) is far too large:

- A parameter counts the blocks that tell of it: m, the effective number, of Satterthwaite's kind
  (Bell and McCaffrey, Survey Methodology 28, 2002). The variance by blocks is m / (m - 1) larger.
- The normal quantile gives way to Student's with m - 1 degrees of freedom.
- The factors of other ratings tell of this one too, so that the average over all ratings is mixed
  in as if it came from 10 more blocks, or as many as they have (Smyth, Statistical Applications in
  Genetics and Molecular Biology 3, 2004). Effects of seats and ties have averages of their own.

:mod:`benchmarks.coverage.rankings` measures how often the intervals hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from arena.stats.bradley_terry import ELO
from arena.stats.connectivity import reachable, strong_groups
from arena.stats.davidson import Array
from arena.stats.estimates import RatingInterval
from arena.stats.firth import FirthFit, fit
from arena.stats.interval import Z95
from arena.stats.profiles import Cutoffs, profile
from arena.stats.rankings import Blocks, RankedBlock, RankingLikelihood

if TYPE_CHECKING:
    from arena.stats.davidson import Likelihood

#: Larger tables get Wald's intervals where they hardly differ from profiles, which take long. The
#: size is the number of subsets to choose from, over all choices, times the number of intervals.
MAX_PROFILED_TERMS = 500_000

#: Larger ones get Wald's intervals everywhere.
MAX_PROFILED_WIDE = 1_000_000

#: Where a standard error is no larger than this, the likelihood of a large table is nearly that of
#: a normal distribution.
SMALL_ERROR = 0.2

#: Tables of more players get no profiles.
MAX_PROFILED_PLAYERS = 100

#: Tables of more worths, players times seats, are not rated: matrices have their square.
MAX_WORTHS = 4000

#: The factors of other parameters of a kind count as so many blocks at most.
MAX_SHARED = 10.0

#: A quantile of Student's t with fewer degrees of freedom leaves nothing of an interval.
MIN_FREEDOM = 2.0


class _ParameterKind(NamedTuple):
    """The combinations of parameters that are of one kind."""

    #: Shape (ways, parameters).
    ways: Array
    #: How many of them are free.
    free: int


class RankingEstimates(NamedTuple):
    """The estimates from a table of rankings, as natural logarithms. See :func:`to_elo`."""

    #: The ratings by player, about the mean of the group; None for one that met no other.
    ratings: tuple[RatingInterval | None, ...]
    #: The effects of the seats, about their mean; empty if they are not estimated.
    seats: tuple[RatingInterval, ...]
    #: The logarithms of delta for ties of two, three and so on, up to the largest that occurred.
    ties: tuple[RatingInterval, ...]
    #: The players that compare with each other, the largest group first.
    groups: tuple[tuple[int, ...], ...]
    #: The number of blocks.
    observations: float


def estimate(
    blocks: Iterable[tuple[RankedBlock, float]], players: int, seats_effect: bool = True
) -> RankingEstimates | None:
    """Estimate the ratings of ``players`` players, the effects of seats, and how often they tie.

    Every block comes with the number of times that it was played. A game is the players by seat, by
    their numbers from 0, and their places by seat. Games may have different numbers of seats, and a
    seat has the same effect in all of them. The effects are estimated if ``seats_effect`` asks for
    it and the games tell all of them from the strength of the players. Players that met, directly
    or through others, are a group, within which ratings compare.

    Every interval holds with a chance of 95 %, and the games of a block may depend on each other.
    An end that the results do not bound is None. The estimates are None without any game, if
    rounding spoils them, and for more than 4000 players, or players times seats where the effects
    of seats are estimated. Raises UsageError for a game that is not possible.

    >>> seats = (0, 1, 2), (1, 2, 0), (2, 0, 1)
    >>> up = tuple((players, tuple(3 - player for player in players)) for players in seats)
    >>> down = tuple((players, tuple(1 + player for player in players)) for players in seats)
    >>> result = estimate([(up, 9), (down, 1)], 3)
    >>> [round(to_elo(rating).value) for rating in result.ratings if rating]
    [-324, 35, 289]
    """
    table = Blocks.of(blocks, players)
    if not table.blocks:
        return None
    try:
        with np.errstate(all="ignore"):
            return _estimate(table, seats_effect)
    except np.linalg.LinAlgError:
        return None


def to_elo(interval: RatingInterval) -> RatingInterval:
    """Return a rating, or the effect of a seat, on the scale of Elo: 400 for a worth of ten times.

    >>> to_elo(RatingInterval(0.0, -1.0, None))
    RatingInterval(value=0.0, low=-173.71779276130073, high=None)
    """
    low, high = (None if end is None else ELO * end for end in (interval.low, interval.high))
    return RatingInterval(ELO * interval.value, low, high)


def groups_of(table: Blocks) -> list[tuple[int, ...]]:
    """Return the players that met, directly or through others, the largest group first."""
    steps = [
        step
        for first, *others in table.seatings()
        for other in others
        for step in ((first, other), (other, first))
    ]
    return strong_groups(reachable(table.players, steps))


def seats_told(table: Blocks) -> bool:
    """Return whether the games tell the effects of all seats from the strength of the players.

    They do not if some effects, not all equal, are the same in every game as other ratings.
    """
    # A game fixes the sum of rating and effect, up to a constant. So along a tree of games the
    # rating of a player is that of the first one plus a combination of effects, kept here as the
    # coefficients. Every other game is an equation that the effects would have to meet.
    size = table.seats
    unit = np.eye(size)
    near: dict[int, dict[tuple[int, int, int], None]] = {}
    for players in table.seatings():
        for seat in range(1, len(players)):
            near.setdefault(players[0], {})[players[seat], 0, seat] = None
            near.setdefault(players[seat], {})[players[0], seat, 0] = None
    ratings: dict[int, Array] = {}
    equations = np.zeros((size, size))
    for root in near:
        if root in ratings:
            continue
        ratings[root], waiting = np.zeros(size), [root]
        while waiting:
            player = waiting.pop()
            for other, player_blocks, others in near[player]:
                rating = ratings[player] + unit[player_blocks] - unit[others]
                if other not in ratings:
                    ratings[other] = rating
                    waiting.append(other)
                excess = rating - ratings[other]
                equations += np.outer(excess, excess)
    return int(np.linalg.matrix_rank(equations)) == size - 1


def _estimate(table: Blocks, seats_effect: bool) -> RankingEstimates | None:
    groups = groups_of(table)
    games = [player for seats in table.seatings() for player in seats]
    numbers = np.bincount(games, minlength=table.players)
    grounds = [max(group, key=lambda player: numbers[player]) for group in groups]
    likelihood = RankingLikelihood(table, grounds, seats_effect and seats_told(table))
    if likelihood.worths > MAX_WORTHS:
        return None
    fitted = fit(_as_davidson(likelihood), likelihood.parameters - len(likelihood.held))
    if fitted is None:
        return None
    rated = [player for group in groups if len(group) > 1 for player in group]
    kinds = _kinds(likelihood, groups, rated)
    ends = _ends(likelihood, fitted, kinds)
    values = np.concatenate([kind.ways for kind in kinds]) @ fitted.point
    intervals = [
        RatingInterval(float(value), *(float(end) if np.isfinite(end) else None for end in both))
        for value, both in zip(values, ends, strict=True)
    ]
    by_player = dict(zip(rated, intervals, strict=False))
    others = intervals[len(rated) :]
    return RankingEstimates(
        tuple(by_player.get(player) for player in range(table.players)),
        tuple(others[: likelihood.seats]),
        tuple(others[likelihood.seats :]),
        tuple(groups),
        likelihood.observations,
    )


def _kinds(
    likelihood: RankingLikelihood, groups: Sequence[tuple[int, ...]], rated: Sequence[int]
) -> list[_ParameterKind]:
    """Return the combinations of parameters that are estimated: ratings, effects, log delta.

    A rating is that less the mean of its group, an effect is that less the mean of all.
    """
    ways = np.eye(likelihood.parameters)
    seats = range(likelihood.players, likelihood.players + likelihood.seats)
    for columns in (*groups, seats):
        if columns:
            ways[np.ix_(columns, columns)] -= 1 / len(columns)
    ways[:, likelihood.held] = 0
    connected = sum(len(group) > 1 for group in groups)
    ties = range(likelihood.parameters - likelihood.ties, likelihood.parameters)
    kinds = [
        _ParameterKind(ways[rated], len(rated) - connected),
        _ParameterKind(ways[list(seats)], likelihood.seats - 1),
        _ParameterKind(ways[list(ties)], likelihood.ties),
    ]
    return [kind for kind in kinds if len(kind.ways)]


def _ends(
    likelihood: RankingLikelihood, fitted: FirthFit, kinds: Sequence[_ParameterKind]
) -> Array:
    """Return the ends of the intervals, shape (ways, 2), with nan for an end without a bound."""
    ways = np.concatenate([kind.ways for kind in kinds])
    variances = np.einsum("ki,ij,kj->k", ways, fitted.model, ways)
    factors = np.concatenate([_factors(likelihood, fitted, kind) for kind in kinds])
    errors = Z95 * np.sqrt(factors * variances)
    values = ways @ fitted.point
    ends = np.stack([values - errors, values + errors], 1)
    size = likelihood.counts.size
    is_small = size * len(ways) <= MAX_PROFILED_TERMS
    profiled = np.flatnonzero((variances > SMALL_ERROR**2) | is_small)
    is_feasible = size * len(profiled) <= MAX_PROFILED_WIDE
    if len(profiled) and is_feasible and likelihood.players <= MAX_PROFILED_PLAYERS:
        marks = Z95 * np.sqrt(factors[profiled])
        cutoffs = [Cutoffs(-mark, mark) for mark in marks.tolist()]
        unscaled = replace(fitted, correction=0.0)  # for the marks have the factor
        ends[profiled] = profile(_as_davidson(likelihood), unscaled, ways[profiled], cutoffs)
    return ends


def _factors(likelihood: RankingLikelihood, fitted: FirthFit, kind: _ParameterKind) -> Array:
    """Return by how much the deviance at the ends exceeds that of independent games, at least 1."""
    ways = kind.ways
    spread = ways @ fitted.model
    by_model = np.einsum("ki,ki->k", spread, ways)
    excess = np.einsum("ki,ij,kj->k", ways, fitted.sandwich, ways) / by_model
    blocks = likelihood.effective_blocks(fitted.point, spread)
    freedom = blocks - 1
    # An estimate from one block has no residual. The average of all is without those.
    positive = freedom > 0
    if not positive.any():
        return np.ones(len(ways))
    average = (blocks * excess)[positive].sum() / freedom[positive].sum()
    shared = min(MAX_SHARED, (kind.free - 1) * float(freedom.mean()))
    total = freedom + shared
    mixed = (blocks * excess * positive + shared * average) / np.maximum(total, MIN_FREEDOM)
    widened = mixed * (student(np.maximum(total, MIN_FREEDOM)) / Z95) ** 2
    return np.asarray(np.where(total >= 1, np.maximum(widened, 1), 1.0))


def student(freedom: Array) -> Array:
    """Return the 97.5 % quantiles of Student's t, from two degrees of freedom up.

    The expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5). It is right to 1 %.

    >>> student(np.array([2.0, 10.0])).round(2).tolist()
    [4.27, 2.23]
    """
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return np.asarray(z + sum(term / freedom**k for k, term in enumerate(terms, 1)))


def _as_davidson(likelihood: RankingLikelihood) -> Likelihood:
    """Return the likelihood as a fit takes it: it has all that a fit and a profile use."""
    return cast("Likelihood", likelihood)
