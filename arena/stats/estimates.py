"""Estimate ratings with their intervals, and how far they are apart, from the pairings of players.

The model is Davidson's (:mod:`arena.stats.davidson`), the fit Firth's (:mod:`arena.stats.firth`),
and the intervals are profiles or Wald's (:mod:`arena.stats.profiles`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.stats.cutoffs import AdaptiveDesign, cutoffs, ways_of
from arena.stats.davidson import Array, Likelihood
from arena.stats.firth import FirthFit, fit
from arena.stats.pairings import PairingCounts
from arena.stats.profiles import FIXED_CUTOFFS, errors_apart, profile, roots, wald

#: Two pairings' numbers of games may differ by this factor; else the smaller is lost in rounding.
MAX_RATIO = 1e9

#: An interval after more games is narrower than floats can tell.
MAX_COUNTED_GAMES = 1e20

#: More differences are compared in standard errors: to follow the likelihood of each takes long.
MAX_COMPARED = 500


class RatingInterval(NamedTuple):
    """An estimate and its 95 % interval, as logarithms. An end without a bound is None."""

    value: float
    low: float | None
    high: float | None


class TableEstimates(NamedTuple):
    """The estimates from a table of pairings."""

    #: By the number of the parameter: the players, then the advantage, then log nu.
    intervals: dict[int, RatingInterval]
    #: How much stronger a player of a group is than another, in standard errors.
    differences: dict[tuple[int, int], float]
    #: Whether these are roots of the deviance rather than Wald's.
    compared_by_likelihood: bool
    #: The ratings, the advantage and log nu.
    point: Array
    observations: float
    #: Whether a simulation gave the cut-offs of the ratings' intervals.
    is_simulated: bool = False


def estimates(
    groups: Sequence[tuple[int, ...]],
    pairings: Sequence[PairingCounts],
    advantage: bool,
    *,
    profiled: bool,
    prior: float = 0.0,
    design: AdaptiveDesign | None = None,
) -> TableEstimates | None:
    """Estimate ratings about the mean of their group, the advantage, and log nu.

    ``groups`` are the players that met, by their numbers. One that met no other is not rated.
    ``advantage`` says whether the results tell it from strength. ``profiled`` chooses profiles
    rather than Wald's intervals. With a ``prior`` every player is rated, about the mean of all. See
    :class:`arena.stats.davidson.Likelihood`. With a ``design`` that can be simulated the ratings'
    intervals allow for it. None if rounding spoils the result.
    """
    try:
        with np.errstate(all="ignore"):
            return _estimates(groups, pairings, advantage, profiled, prior, design)
    except np.linalg.LinAlgError:
        return None


def _estimates(
    groups: Sequence[tuple[int, ...]],
    pairings: Sequence[PairingCounts],
    advantage: bool,
    profiled: bool,
    prior: float,
    design: AdaptiveDesign | None,
) -> TableEstimates | None:
    numbers = [sum(times * len(cell) for cell, times in m.cells) for m in pairings]
    least = min([*numbers, prior] if prior else numbers)
    if max(numbers) > min(MAX_COUNTED_GAMES, MAX_RATIO * least):
        return None
    players = sum(map(len, groups))
    players_of_game = [pairing.a for pairing in pairings] + [pairing.b for pairing in pairings]
    games = np.bincount(players_of_game, numbers * 2, players)
    grounds = [max(group, key=lambda player: games[player]) for group in groups]
    likelihood = Likelihood(players, pairings, grounds, advantage, prior)
    connected = [group for group in groups if len(group) > 1]
    fitted = fit(likelihood, sum(map(len, connected)) - len(connected) + advantage + 1)
    if fitted is None:
        return None
    scales = [tuple(range(players))] if prior else connected
    rated = [player for scale in scales for player in scale]
    places = [*rated, *([players] * advantage), players + 1]
    ways = ways_of(likelihood, scales, advantage)
    simulated = (
        cutoffs(design, likelihood, fitted, groups) if design and profiled and not prior else None
    )
    if profiled:
        ends = profile(likelihood, fitted, ways, simulated or [FIXED_CUTOFFS] * len(ways))
    else:
        ends = wald(fitted, ways)
    intervals = {
        place: RatingInterval(
            float(value), *(float(end) if np.isfinite(end) else None for end in both)
        )
        for place, value, both in zip(places, ways @ fitted.point, ends, strict=True)
    }
    pairs = [two for group in connected for two in combinations(group, 2)]
    exactly = profiled and len(pairs) <= MAX_COMPARED
    statistics = _compared(likelihood, fitted, pairs, exactly)
    point = np.delete(fitted.point, players) if prior else fitted.point
    observations = likelihood.observations
    return TableEstimates(
        intervals, statistics, exactly, point, observations, simulated is not None
    )


def _compared(
    likelihood: Likelihood, fitted: FirthFit, pairs: Sequence[tuple[int, int]], exactly: bool
) -> dict[tuple[int, int], float]:
    """Return how far each two players are apart, in standard errors."""
    if not pairs:
        return {}
    a, b = np.array(pairs).T
    if not exactly:
        errors = errors_apart(fitted, a, b)
        return dict(zip(pairs, errors.tolist(), strict=True))
    ways = np.zeros((len(pairs), likelihood.parameters))
    rows = np.arange(len(pairs))
    ways[rows, a], ways[rows, b] = 1, -1
    ways[:, likelihood.held] = 0
    return dict(
        zip(pairs, roots(likelihood, fitted, ways, np.zeros(len(ways))).tolist(), strict=True)
    )
