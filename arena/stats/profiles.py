"""Find intervals and tests of combinations of the parameters, from a fit and its likelihood.

An interval is the profile of the penalised likelihood (Heinze and Schemper, Statistics in Medicine
21, 2002): it holds the values at which twice the logarithm falls by less than 3.84. As the two
games of a pair may depend on each other, and draws may differ between pairings, that number is
multiplied by how far the variance by pairs exceeds the model's (Kent, Biometrika 69, 1982). A way
is a combination of the parameters, ``ways`` has the shape (ways, parameters).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Ints
from arena.dataclass import dataclass
from arena.stats.davidson import Array, Likelihood
from arena.stats.firth import MAX_INFLATION, MAX_STEPS, FirthFit, inflation, shortened
from arena.stats.interval import Z95


@dataclass(frozen=True)
class Cutoffs:
    """The signed roots of the deviance at which a combination seems too small and too large."""

    low: float = -Z95
    high: float = Z95


#: The cut-offs where the games were chosen beforehand.
FIXED_CUTOFFS = Cutoffs()


#: A search for an end of an interval stops so near it, in standard errors.
TOLERANCE = 1e-5

#: A search goes no further than this in a step, in standard errors: it keeps to the profile.
STRIDE = 1.0

#: Numbers that are worked on at a time, so that the arrays stay within some 200 MB.
MAX_NUMBERS_AT_ONCE = 2_000_000


def wald(fitted: FirthFit, ways: Array) -> Array:
    """Return the ends of 95 % intervals, shape (ways, 2), from the larger of the variances."""
    model = np.einsum("ki,ij,kj->k", ways, fitted.model, ways)
    error = Z95 * np.sqrt(fitted.scale(ways) * model)
    values = ways @ fitted.point
    return np.stack([values - error, values + error], 1)


def errors_apart(fitted: FirthFit, a: Ints, b: Ints) -> Array:
    """Return how far the players ``a`` are above the players ``b``, in standard errors.

    The error is the larger of the model's and that of the pairs, as in :meth:`FirthFit.scale`.
    """
    by_model, by_pairs = (
        np.diagonal(of)[a] + np.diagonal(of)[b] - 2 * of[a, b]
        for of in (fitted.model, fitted.correction * fitted.sandwich)
    )
    errors: Array = (fitted.point[a] - fitted.point[b]) / np.sqrt(np.maximum(by_model, by_pairs))
    return errors


def roots(likelihood: Likelihood, fitted: FirthFit, ways: Array, values: Array) -> Array:
    """Return the signed roots of the deviance at some values of combinations, by Kent's factor.

    It is the penalised likelihood-ratio test of Heinze and Schemper. Where rounding hides the
    likelihood there, the result is the distance from the estimate in standard errors.
    """
    excess, deviances = ways @ fitted.point - values, np.full(len(ways), np.nan)
    size = max(likelihood.counts.size, likelihood.parameters**2)
    for part in np.array_split(np.arange(len(ways)), -(-len(ways) * size // MAX_NUMBERS_AT_ONCE)):
        deviances[part] = _deviances(likelihood, fitted, ways[part], values[part])
    variances = np.einsum("ki,ij,kj->k", ways, fitted.model, ways)
    hidden = excess**2 / variances
    squares = np.where(np.isnan(deviances), hidden, np.maximum(deviances, 0))
    signed: Array = np.sign(excess) * np.sqrt(squares / fitted.scale(ways))
    return signed


def _deviances(likelihood: Likelihood, fitted: FirthFit, ways: Array, values: Array) -> Array:
    """Return twice how much the likelihood falls at each value, or nan if rounding hides it."""
    deviances = np.full(len(ways), np.nan)
    to_go: NDArray[np.int64] = np.arange(len(ways))
    spread = ways @ fitted.model
    variance = np.einsum("ki,ki->k", spread, ways)
    points = fitted.point - ((ways @ fitted.point - values) / variance)[:, None] * spread
    for _ in range(MAX_STEPS):
        look, way = likelihood.look(points), ways[to_go]
        solved = np.linalg.solve(look.curvature, np.stack([look.gradient, way], -1))
        uphill, along = solved[..., 0], solved[..., 1]
        slope = np.einsum("ki,ki->k", uphill, way) / np.einsum("ki,ki->k", along, way)
        step = uphill - slope[:, None] * along
        gain = np.einsum("ki,ki->k", step, look.gradient)
        done = gain < TOLERANCE
        deviances[to_go[done]] = (2 * (fitted.value - look.value) - gain)[done]
        is_open = ~done & (inflation(look) < MAX_INFLATION)
        to_go, points = to_go[is_open], (points + shortened(likelihood, step))[is_open]
        if not len(to_go):
            break
    return deviances


def profile(
    likelihood: Likelihood, fitted: FirthFit, ways: Array, cutoffs: Sequence[Cutoffs]
) -> Array:
    """Return the ends of 95 % intervals, shape (ways, 2), with nan for an end without a bound.

    There are ``cutoffs`` for every way.
    Where only the prior bounds a combination, an end may lie so far that rounding hides it.
    """
    factors = np.tile(np.sqrt(fitted.scale(ways)), 2)
    sides = factors * ([-cut.high for cut in cutoffs] + [-cut.low for cut in cutoffs])
    both = np.concatenate([ways, ways])
    size = max(likelihood.counts.size, likelihood.parameters**2)
    parts = -(-len(both) * size // MAX_NUMBERS_AT_ONCE)
    ends = [
        _ends(likelihood, fitted, way, side)
        for way, side in zip(np.array_split(both, parts), np.array_split(sides, parts), strict=True)
    ]
    return np.concatenate(ends).reshape(2, -1).T


def _ends(likelihood: Likelihood, fitted: FirthFit, ways: Array, goals: Array) -> Array:
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
        done = (np.abs(root - goal) < TOLERANCE) & (rest < TOLERANCE)
        ends[to_go[done]] = np.einsum("ki,ki->k", way, points + step)[done]
        points = points + shortened(likelihood, step)
        is_open = ~done & (inflation(look) < MAX_INFLATION)
        to_go, points = to_go[is_open], points[is_open]
        if not len(to_go):
            break
    return ends
