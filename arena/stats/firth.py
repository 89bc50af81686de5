"""Estimate the parameters of Davidson's model, and intervals for them, by penalised likelihood.

The estimates make the likelihood with Jeffreys' prior largest (Firth, Biometrika 80, 1993). An
interval is the profile of that likelihood (Heinze and Schemper, Statistics in Medicine 21, 2002):
it holds the values at which twice the logarithm falls by less than 3.84. As the two games of a
pair may depend on each other, and draws may differ between pairings, that number is multiplied by
how far the variance by pairs exceeds the model's (Kent, Biometrika 69, 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.stats.davidson import Array, Likelihood, Look
from arena.stats.interval import Z95
from arena.stats.meetings import Meeting

#: A fit ends when Newton's step is so small a part of a standard error, squared.
DONE = 1e-12

#: A search for an end of an interval stops so near it, in standard errors.
NEAR = 1e-5

#: A search goes no further than this in a step, in standard errors: it keeps to the profile.
STRIDE = 1.0

#: Newton's steps after which a search is given up; the hardest tables of the tests take half.
MAX_STEPS = 100

#: Halvings of a step after which nothing but rounding leads down.
MAX_HALVINGS = 20

#: The logarithm of a chance changes by no more than this in a step.
MAX_STEP = 2.0

#: Numbers that are worked on at a time, so that the arrays stay within some 200 MB.
MAX_NUMBERS_AT_ONCE = 2_000_000


#: Two pairings' numbers of games may differ by this factor; else the smaller is lost in rounding.
MAX_RATIO = 1e9

#: An interval after more games is narrower than floats can tell.
MAX_GAMES = 1e20

#: A variance may exceed that of a parameter alone by this factor before rounding spoils it.
MAX_INFLATION = 1e10


class Interval(NamedTuple):
    """An estimate and its 95 % interval, as logarithms. An end without a bound is None."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Fit:
    """The most likely point, and the variances of the parameters about it."""

    point: Array
    #: The penalised log-likelihood there.
    value: float
    #: The variance by the model, and by the observations, shapes (parameters, parameters).
    model: Array
    sandwich: Array
    #: Observations for each that the parameters leave; 1 where they leave none.
    correction: float

    def scale(self, ways: Array) -> Array:
        """Return Kent's factor for each of the combinations of parameters, at least 1."""
        by_model = np.einsum("ki,ij,kj->k", ways, self.model, ways)
        by_pairs = np.einsum("ki,ij,kj->k", ways, self.sandwich, ways)
        factor: Array = np.maximum(1.0, self.correction * by_pairs / by_model)
        return factor


def intervals(
    groups: Sequence[tuple[int, ...]],
    meetings: Sequence[Meeting],
    advantage: bool,
    *,
    profiled: bool,
) -> dict[int, Interval]:
    """Estimate ratings about the mean of each group, then the advantage, then log nu.

    ``groups`` are the players that met, by their numbers; one that met nobody is not rated.
    ``advantage`` says whether the results tell it from strength. The keys are the numbers of the
    players, and the two that follow. ``profiled`` chooses profiles rather than Wald's intervals.
    The result is empty if rounding spoils it.
    """
    try:
        with np.errstate(all="ignore"):
            return _intervals(groups, meetings, advantage, profiled)
    except np.linalg.LinAlgError:
        return {}


def _intervals(
    groups: Sequence[tuple[int, ...]], meetings: Sequence[Meeting], advantage: bool, profiled: bool
) -> dict[int, Interval]:
    numbers = [sum(times * len(cell) for cell, times in m.cells) for m in meetings]
    if max(numbers) > min(MAX_GAMES, MAX_RATIO * min(numbers)):
        return {}
    players = sum(map(len, groups))
    who = [meeting.a for meeting in meetings] + [meeting.b for meeting in meetings]
    games = np.bincount(who, numbers * 2, players)
    grounds = [max(group, key=lambda player: games[player]) for group in groups]
    likelihood = Likelihood(players, meetings, grounds, advantage)
    places = [player for group in groups if len(group) > 1 for player in group]
    places += [players, players + 1] if advantage else [players + 1]
    ways = np.eye(players + 2)
    for group in groups:
        ways[np.ix_(group, group)] -= 1 / len(group)
    ways[:, likelihood.held] = 0
    fitted = fit(likelihood, len(places) - sum(len(group) > 1 for group in groups))
    if fitted is None:
        return {}
    ways = ways[places]
    ends = profile(likelihood, fitted, ways) if profiled else wald(fitted, ways)
    return {
        place: Interval(float(value), *(float(end) if np.isfinite(end) else None for end in both))
        for place, value, both in zip(places, ways @ fitted.point, ends, strict=True)
    }


def fit(likelihood: Likelihood, free: int) -> Fit | None:
    """Find the most likely point. Return None if rounding hides it.

    ``free`` is the number of parameters that are estimated.
    """
    point = likelihood.start()
    look = likelihood.look(point)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(look.curvature, look.gradient)
        if step @ look.gradient < DONE:
            break
        there = _climbed(likelihood, point, look, _shortened(likelihood, step))
        if there is None:
            return None
        point, look = there
    if not (step @ look.gradient < DONE and _inflation(look) < MAX_INFLATION):
        return None
    left = likelihood.observations - free
    correction = likelihood.observations / left if left > 0 else 1.0
    return Fit(point, float(look.value), look.inverse, likelihood.sandwich(point), correction)


def wald(fitted: Fit, ways: Array) -> Array:
    """Return the ends of 95 % intervals, shape (ways, 2), from the larger of the variances."""
    model = np.einsum("ki,ij,kj->k", ways, fitted.model, ways)
    error = Z95 * np.sqrt(fitted.scale(ways) * model)
    values = ways @ fitted.point
    return np.stack([values - error, values + error], 1)


def profile(likelihood: Likelihood, fitted: Fit, ways: Array) -> Array:
    """Return the ends of 95 % intervals, shape (ways, 2), with nan for an end without a bound.

    A way is a combination of the parameters, ``ways`` has the shape (ways, parameters). Where only
    the prior bounds a combination, an end may lie so far that rounding hides it.
    """
    goals = Z95 * np.sqrt(fitted.scale(ways))
    sides = np.concatenate([-goals, goals])
    both = np.concatenate([ways, ways])
    size = max(likelihood.counts.size, likelihood.parameters**2)
    parts = -(-len(both) * size // MAX_NUMBERS_AT_ONCE)
    found = [
        _ends(likelihood, fitted, way, side)
        for way, side in zip(np.array_split(both, parts), np.array_split(sides, parts), strict=True)
    ]
    return np.concatenate(found).reshape(2, -1).T


def _ends(likelihood: Likelihood, fitted: Fit, ways: Array, goals: Array) -> Array:
    """Follow each profile until its signed root of deviance is the goal.

    After Venzon and Moolgavkar (Applied Statistics 37, 1988). Each step goes towards the largest
    likelihood at the present value. At the same time it goes along Newton's step for the root,
    which is nearly linear in the value.
    """
    ends = np.full(len(goals), np.nan)
    to_go: NDArray[np.int64] = np.arange(len(goals))
    spread = ways @ fitted.model
    error = np.sqrt(np.einsum("ki,ki->k", spread, ways))
    points = fitted.point + (np.clip(goals, -STRIDE, STRIDE) / error)[:, None] * spread
    for _ in range(MAX_STEPS):
        look = likelihood.look(points)
        way, goal = ways[to_go], goals[to_go]
        solved = np.linalg.solve(look.curvature, np.stack([look.gradient, way], -1))
        uphill, along = solved[..., 0], solved[..., 1]
        variance = np.einsum("ki,ki->k", along, way)
        slope = np.einsum("ki,ki->k", uphill, way) / variance
        rest = np.einsum("ki,ki->k", uphill, look.gradient) - slope**2 * variance
        root = np.sign(goal) * np.sqrt(np.maximum(2 * (fitted.value - look.value) - rest, 0))
        stride = np.clip(goal - root, -STRIDE, STRIDE)
        change = stride * np.where(root * slope < 0, -root / slope, np.sqrt(variance))
        step = uphill + ((change / variance) - slope)[:, None] * along
        done = (np.abs(root - goal) < NEAR) & (rest < NEAR)
        ends[to_go[done]] = np.einsum("ki,ki->k", way, points + step)[done]
        points = points + _shortened(likelihood, step)
        left = ~done & (_inflation(look) < MAX_INFLATION)
        to_go, points = to_go[left], points[left]
        if not len(to_go):
            break
    return ends


def _climbed(
    likelihood: Likelihood, point: Array, look: Look, step: Array
) -> tuple[Array, Look] | None:
    """Halve the step until it does not lead down. Return None if rounding leads it down."""
    slack = 1e-9 * (1 + abs(look.value))
    for _ in range(MAX_HALVINGS):
        there = likelihood.look(point + step)
        if there.value >= look.value - slack:
            return point + step, there
        step = step / 2
    return None


def _inflation(look: Look) -> Array:
    """Return how many times the variance of a parameter exceeds that of it alone, at most."""
    information = np.diagonal(look.curvature, axis1=-2, axis2=-1)
    most: Array = (information * np.diagonal(look.inverse, axis1=-2, axis2=-1)).max(-1)
    return most


def _shortened(likelihood: Likelihood, steps: Array) -> Array:
    shares = np.minimum(1, MAX_STEP / np.maximum(likelihood.steepest(steps), 1e-300))
    found: Array = steps * shares[..., None]
    return found
