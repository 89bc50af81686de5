"""Rank players by how long a population that evolves plays as each of them: alpha-rank.

A population of m plays as one player. Now and then one of them tries another player, drawn evenly,
and the whole population takes it over with the chance of Fermi's selection of intensity alpha. The
share of time that the population spends at a player is the stationary probability of that chain
(Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019).
The numbers are those of OpenSpiel's ``alpharank`` with its defaults: one population, in which each
compares itself with its opponent alone (local selection).

Over a band of scores every step has a chance between two ends, which rise with the score. The
flows, the stationary probability of a player times the chance of a step from it, are as much into
a player as out of it. These are linear constraints, and every chain in the band keeps them. They
do not hold the steps between two players, there and back, to one score: so the intervals are never
too short.
"""

from __future__ import annotations

import numpy as np

from arena.stats.polytope import Floats, Polytope, Row, Spans

#: The size of the population and the intensity of selection, as OpenSpiel's report has them.
POPULATION, INTENSITY = 50, 100.0

#: A chance of less is taken for this: one of 0 could leave several stationary probabilities.
_LEAST = 1e-300

#: The ends of a chance that are as near as this are one number, and a smaller low end is 0.
_NEAR = 1e-10


def taken_over(scores: Floats, population: int = POPULATION, alpha: float = INTENSITY) -> Floats:
    """Return the chance that one who plays with this mean score against the rest takes over.

    >>> taken_over(np.array([0.5, 1.0])).round(4).tolist()
    [0.02, 1.0]
    """
    u = alpha * (2 * np.asarray(scores, float) - 1)
    level = np.abs(u) < 1e-14
    safe = np.where(level, 1.0, u)
    with np.errstate(over="ignore"):
        # For a loser both numbers are large: their ratio is taken without them.
        ratio = np.where(
            safe > 0,
            np.expm1(-np.abs(safe)) / np.expm1(-population * np.abs(safe)),
            np.exp(-(population - 1) * np.abs(safe))
            * np.expm1(-np.abs(safe))
            / np.expm1(-population * np.abs(safe)),
        )
    chances: Floats = np.where(level, 1 / population, ratio)
    return chances


def alpha_rank(scores: Floats, population: int = POPULATION, alpha: float = INTENSITY) -> Floats:
    """Return the stationary probability of each player. ``scores[i, j]`` is i's against j.

    The elimination of Grassmann, Taksar and Heyman (Operations Research 33, 1985) subtracts
    nothing, so that small chances lose no digits.

    >>> alpha_rank(np.array([[0.5, 0.9], [0.1, 0.5]])).tolist()
    [1.0, 0.0]
    """
    number = len(scores)
    steps = np.maximum(taken_over(scores, population, alpha).T, _LEAST)
    for last in range(number - 1, 0, -1):
        leaving = steps[last, :last].sum()
        steps[:last, last] /= leaving
        steps[:last, :last] += np.outer(steps[:last, last], steps[last, :last])
    shares = np.zeros(number)
    shares[0] = 1
    with np.errstate(under="ignore"):
        for place in range(1, number):
            shares[place] = shares[:place] @ steps[:place, place]
            shares[: place + 1] /= shares[: place + 1].sum()
    # A share that no reader sees is 0: its last digits would depend on the machine.
    shares[shares < _NEAR] = 0
    whole: Floats = shares / shares.sum()
    return whole


def alpha_rank_spans(
    low: Floats, high: Floats, population: int = POPULATION, alpha: float = INTENSITY
) -> Spans:
    """Return the spans of the stationary probabilities over all scores between these ends."""
    number = len(low)
    if number == 1:
        return Spans(np.ones(1), np.ones(1), frozenset())
    # The chance of a step from i to j rises with j's score against i.
    least = taken_over(low, population, alpha).T
    most = taken_over(high, population, alpha).T
    least = np.where(least < _NEAR, 0, least)
    open_steps = [
        (i, j)
        for i in range(number)
        for j in range(number)
        if i != j and most[i, j] - least[i, j] > _NEAR
    ]
    rows = [Row(np.arange(number), np.ones(number), 1, 1)]
    balance = least.copy()  # row i has what flows out of i by the least chances
    np.fill_diagonal(balance, 0)
    into: list[list[int]] = [[] for _ in range(number)]
    out: list[list[int]] = [[] for _ in range(number)]
    for place, (i, j) in enumerate(open_steps, start=number):
        out[i].append(place)
        into[j].append(place)
        rows.append(Row([i, place], [most[i, j] - least[i, j], -1], 0, np.inf))
    for j in range(number):
        values = balance[:, j].copy()
        values[j] = -balance[j].sum()
        columns = [*range(number), *into[j], *out[j]]
        signs = [1.0] * len(into[j]) + [-1.0] * len(out[j])
        rows.append(Row(columns, np.append(values, signs), 0, 0))
    variables = number + len(open_steps)
    polytope = Polytope(np.zeros(variables), np.ones(variables), rows)
    return polytope.spans(range(number))
