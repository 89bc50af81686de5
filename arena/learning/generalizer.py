"""Improve a hypothesis from training examples by least mean squares: the generalizer.

Each example moves every weight against the gradient of its squared error, (V_train(b) - V̂(b))²:
w_i becomes w_i + rate (V_train(b) - V̂(b)) x_i. The weight of a feature that is 0 does not change.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.learning.critic import Example
from arena.learning.hypothesis import Weights, estimate


def refine(weights: Weights, examples: Iterable[Example], rate: float) -> Weights:
    """Return the weights after the rule has used the examples one after the other.

    >>> refine((0.0, 0.0), [Example((1, 2), 100.0)], rate=0.1)
    (10.0, 20.0)
    """
    for features, value in examples:
        step = rate * (value - estimate(weights, features))
        weights = tuple([w + step * x for w, x in zip(weights, features, strict=True)])
    return weights
