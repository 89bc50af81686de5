"""Estimate the value of boards as V̂ = w0 + w1 x1 + ... + wn xn: the hypothesis.

It evaluates the boards that a side leaves behind by its moves. The two sides never leave the same
boards, so each side has weights of its own.
"""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.game import Side
from arena.games.mnk import MnkPosition
from arena.learning.features import Features, Vector

#: w0, which belongs to the constant 1, then the weight of every feature.
Weights = tuple[float, ...]

#: A larger weight, of either sign, is useless where games are worth 100 at most.
MAX_WEIGHT = 1e6


@dataclass(frozen=True)
class Hypothesis:
    """A linear function of a board's features."""

    features: Features
    #: Weights of the side that moves first, and of the one that moves second.
    weights: tuple[Weights, Weights]

    def value(self, board: MnkPosition, side: Side) -> float:
        """Return V̂ of a board that the side left behind: about 100 for a win, -100 for a loss."""
        return estimate(self.weights[side], self.features.vector(board, side))


def diverged(hypothesis: Hypothesis) -> bool:
    """Return whether a weight is useless, or not a number."""
    return not all(abs(w) <= MAX_WEIGHT for weights in hypothesis.weights for w in weights)


def ignorance(features: Features) -> Hypothesis:
    """Return the hypothesis before all training, with every weight 0."""
    nothing = (0.0,) * (len(features.names) + 1)
    return Hypothesis(features, (nothing, nothing))


def estimate(weights: Weights, vector: Vector) -> float:
    """Return the sum of every weight times its feature."""
    total = 0.0
    for weight, x in zip(weights, vector, strict=True):
        total += weight * x  # not sum(), which rounds otherwise from Python 3.12 on
    return total
