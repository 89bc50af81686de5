"""Find the point of greatest entropy among the probabilities that keep linear constraints.

Of all equilibria of a game for two with a constant sum the one of greatest entropy is unique, and
does not depend on the order of the strategies (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating
Evaluation", NeurIPS 2018).
"""

from __future__ import annotations

import numpy as np

from arena.arrays import Floats
from arena.stats.polytope import EQUAL, Constraint, Polytope

#: A weight of the barrier is this share of the one before, down to the least.
_SHRINK, _LEAST = 0.1, 1e-13

#: Steps of Newton's method for one weight of the barrier.
_STEPS = 60

#: Halvings of a step before the method stops.
_HALVINGS = 60


def most_even(matrix: Floats, bound: float) -> Floats:
    """Return the probabilities p of greatest entropy among those with ``p @ matrix >= bound``.

    Linear programs find which probabilities and which constraints are 0 throughout, and a point
    at which no other is. From there Newton's method follows the points of greatest entropy of the
    equations that remain, with a logarithmic barrier before the other constraints.

    >>> rounds = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    >>> most_even(rounds, 0).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    number = len(matrix)
    inner = _inner_point(matrix, bound)
    slack = inner[:number] @ matrix - bound
    inside, loose = inner[:number] > EQUAL, slack > EQUAL
    if inside.sum() == 1:
        return inside.astype(float)
    equations = np.column_stack([np.ones(number), matrix[:, ~loose]])[inside].T
    _, sizes, axes = np.linalg.svd(equations)
    rank = int((sizes > EQUAL * max(1.0, sizes[0])).sum())
    free = axes[rank:].T
    start = inner[:number][inside]
    start /= start.sum()
    if free.shape[1]:
        start = _climbed(start, free, matrix[inside][:, loose], bound)
    even = np.zeros(number)
    even[inside] = start / start.sum()
    return even


def _inner_point(matrix: Floats, bound: float) -> Floats:
    """Return a point where a probability or slack is 0 only if it is 0 at all points."""
    number, constraints = matrix.shape
    columns = number + constraints
    rows = [
        Constraint(
            np.append(np.arange(number), number + j), np.append(matrix[:, j], -1), bound, bound
        )
        for j in range(constraints)
    ]
    rows.append(Constraint(np.arange(number), np.ones(number), 1, 1))
    high = np.concatenate([np.ones(number), np.full(constraints, np.inf)])
    polytope = Polytope(np.zeros(columns), high, rows)
    points = [polytope.least(-each) for each in np.eye(columns)]
    mean: Floats = np.mean([point for point in points if point is not None], axis=0)
    return mean


def _climbed(start: Floats, free: Floats, matrix: Floats, bound: float) -> Floats:
    """Return the point of greatest entropy in these free directions from a point."""
    point, weight = start, 0.1 if matrix.shape[1] else _LEAST
    while weight >= _LEAST:
        for _ in range(_STEPS):
            slack = point @ matrix - bound
            pull = -np.log(point) - 1 + weight * (matrix @ (1 / slack))
            bend = np.diag(1 / point) + weight * (matrix / slack**2) @ matrix.T
            slope = free.T @ pull
            step = free @ np.linalg.lstsq(free.T @ bend @ free, slope, rcond=None)[0]
            moved = _stepped(point, step, matrix, bound, weight)
            if moved is None:
                break
            point = moved
        weight *= _SHRINK
    return point


def _stepped(
    point: Floats, step: Floats, matrix: Floats, bound: float, weight: float
) -> Floats | None:
    """Return a point on the way of a step that is better, or None without one."""
    value = _value(point, matrix, bound, weight)
    size = 1.0
    for _ in range(_HALVINGS):
        moved = point + size * step
        if moved.min() > 0 and _value(moved, matrix, bound, weight) > value:
            return moved
        size /= 2
    return None


def _value(point: Floats, matrix: Floats, bound: float, weight: float) -> float:
    slack = point @ matrix - bound
    if slack.size and slack.min() <= 0:
        return -np.inf
    return float(-(point @ np.log(point)) + weight * np.log(slack).sum())
