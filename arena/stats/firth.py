"""Fit Davidson's model by penalised likelihood.

The estimates make the likelihood with Jeffreys' prior largest (Firth, Biometrika 80, 1993). The
curvature of :mod:`arena.stats.davidson` has only a part of the prior's, so that Newton's steps are
too short where the prior decides much, as in sparse tables of one-sided results. The gradients of
the last steps mend the direction (limited-memory BFGS: Nocedal, Mathematics of Computation 35,
1980).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.dataclass import dataclass
from arena.stats.davidson import Array, Likelihood, PenalisedLikelihood

#: A fit ends when Newton's step is so small a part of a standard error, squared.
CONVERGED = 1e-12

#: Newton's steps after which a search is given up; the hardest tables of the tests take half.
MAX_STEPS = 100

#: The last steps that mend the direction of the next one.
MAX_REMEMBERED = 12

#: Halvings of a step after which nothing but rounding leads down.
MAX_HALVINGS = 20

#: The logarithm of a chance changes by no more than this in a step.
MAX_STEP = 2.0

#: A variance may exceed that of a parameter alone by this factor before rounding spoils it.
MAX_INFLATION = 1e10


#: A step, and by how much the gradient fell along it.
_CurvatureStep = tuple[Array, Array]


@dataclass(frozen=True)
class FirthFit:
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


def fit(likelihood: Likelihood, free: int) -> FirthFit | None:
    """Find the most likely point. Return None if rounding hides it.

    ``free`` is the number of parameters that are estimated.
    """
    point = likelihood.start()
    look = likelihood.look(point)
    memory: list[_CurvatureStep] = []
    for _ in range(MAX_STEPS):
        step = _mended(look, memory)
        if step @ look.gradient < CONVERGED:
            break
        climbed = _climbed(likelihood, point, look, shortened(likelihood, step))
        if climbed is None:
            return None
        change = climbed[0] - point, look.gradient - climbed[1].gradient
        if change[0] @ change[1] > 0:  # else it tells nothing of a curvature
            memory = [*memory[1 - MAX_REMEMBERED :], change]
        point, look = climbed
    if not (step @ look.gradient < CONVERGED and inflation(look) < MAX_INFLATION):
        return None
    freedom = likelihood.observations - free
    correction = likelihood.observations / freedom if freedom > 0 else 1.0
    return FirthFit(point, float(look.value), look.inverse, likelihood.sandwich(point), correction)


def _mended(look: PenalisedLikelihood, memory: Sequence[_CurvatureStep]) -> Array:
    """Return Newton's step, mended by how the gradient fell along the last steps."""
    gradient, shares = look.gradient, list[Array]()
    for step, fall in reversed(memory):
        shares.append(step @ gradient / (step @ fall))
        gradient = gradient - shares[-1] * fall
    mended: Array = np.linalg.solve(look.curvature, gradient)
    for (step, fall), share in zip(memory, reversed(shares), strict=True):
        mended = mended + (share - fall @ mended / (step @ fall)) * step
    return np.asarray(mended)


def _climbed(
    likelihood: Likelihood, point: Array, look: PenalisedLikelihood, step: Array
) -> tuple[Array, PenalisedLikelihood] | None:
    """Halve the step until it does not lead down. Return None if rounding leads it down."""
    slack = 1e-9 * (1 + abs(look.value))
    for _ in range(MAX_HALVINGS):
        look_after = likelihood.look(point + step)
        if look_after.value >= look.value - slack:
            return point + step, look_after
        step = step / 2
    return None


def inflation(look: PenalisedLikelihood) -> Array:
    """Return how many times the variance of a parameter exceeds that of it alone, at most."""
    information = np.diagonal(look.curvature, axis1=-2, axis2=-1)
    most: Array = (information * np.diagonal(look.inverse, axis1=-2, axis2=-1)).max(-1)
    return most


def shortened(likelihood: Likelihood, steps: Array) -> Array:
    """Return steps that change no chance too far."""
    shares = np.minimum(1, MAX_STEP / np.maximum(likelihood.steepest(steps), 1e-300))
    steps_taken: Array = steps * shares[..., None]
    return steps_taken
