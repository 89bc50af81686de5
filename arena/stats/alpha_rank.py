"""Rank players by how long a population that evolves plays as each of them: alpha-rank.

A population of m plays as one player. Now and then one of them tries another player, drawn evenly,
and the whole population takes it over with the chance of Fermi's selection of intensity alpha. The
share of time that the population spends at a player is the stationary probability of that chain
(Omidshafiei et al., "alpha-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9, 2019).
The numbers are those of OpenSpiel's ``alpharank`` with its defaults: one population, in which each
compares itself with its opponent alone (local selection).

Over a band of scores every step has a chance between two ends, which rise with the score. The
share of a player is one over the mean time to return to it, so it is greatest where the times to
reach it are least. These are those of a bounded-parameter Markov decision process (Givan, Leach and
Dean, Artificial Intelligence 122, 2000): from each player the steps to all from which the goal is
nearer have their greatest chance, and the others their least. Policy iteration finds them. The same
numbers solve the linear program of the flows between the players, but its coefficients differ by
too many orders of magnitude for floats.

The steps between two players, there and back, are not held to one score: so the spans are never too
short.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from arena.arrays import Floats
from arena.stats.polytope import EQUAL, Spans

#: The size of the population and the intensity of selection, as OpenSpiel's report has them.
POPULATION, INTENSITY = 50, 100.0

#: A chance of less is taken for this: one of 0 could leave several stationary probabilities.
_LEAST = 1e-300

#: A share that is smaller is 0.
_NEAR = 1e-10

#: Policies after which the iteration stops: it takes fewer than ten, of which each is better.
_MAX_POLICIES = 200


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
    shares = _shares(np.maximum(taken_over(scores, population, alpha).T, _LEAST))
    # A share that no reader sees is 0: its last digits would depend on the machine.
    shares[shares < _NEAR] = 0
    whole: Floats = shares / shares.sum()
    return whole


def _shares(chances: Floats) -> Floats:
    """Return the stationary probabilities of these chances of steps."""
    steps, number = chances.copy(), len(chances)
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
    return shares


def alpha_rank_spans(low: Floats, high: Floats, alpha: float = INTENSITY) -> Spans:
    """Return the spans of the stationary probabilities over all scores between these ends.

    >>> spans = alpha_rank_spans(np.array([[0.5, 0.4], [0.3, 0.5]]), np.full((2, 2), 0.7))
    >>> spans.low.round(3).tolist(), spans.high.round(3).tolist()
    ([0.0, 0.0], [1.0, 1.0])
    """
    number = len(low)
    # The chance of a step from i to j rises with j's score against i.
    steps = _StepChances(
        np.maximum(taken_over(low, POPULATION, alpha).T, _LEAST),
        np.maximum(taken_over(high, POPULATION, alpha).T, _LEAST),
    )
    spans = np.array([steps.shares_of(player) for player in range(number)])
    seen = _shares((steps.least + steps.most) / 2)
    above = set[tuple[int, int]]()
    for one, other in permutations(range(number), 2):
        if seen[one] > seen[other] and spans[one, 0] > EQUAL:
            ratio = steps.least_ratio(one, other)
            if ratio > 1 and spans[one, 0] * (1 - 1 / ratio) > EQUAL:
                above.add((one, other))
    return Spans(spans[:, 0], spans[:, 1], frozenset(above))


class _StepChances(NamedTuple):
    """The least and the greatest chance of each step, times the number of other players."""

    least: Floats
    most: Floats

    def shares_of(self, player: int) -> tuple[float, float]:
        """Return the least and the greatest share of a player."""
        if len(self.least) == 1:
            return 1.0, 1.0
        time = np.ones(len(self.least))
        slowly, quickly = (self._until(player, time, sign) for sign in (-1, 1))
        low = 1 / (1 + self._exit_time(self.most, player, slowly))
        return low, 1 / (1 + self._exit_time(self.least, player, quickly))

    def least_ratio(self, one: int, other: int) -> float:
        """Return the least ratio of two shares: the mean time at one until the other returns."""
        time = np.zeros(len(self.least))
        time[one] = 1
        return self._exit_time(self.least, other, self._until(other, time, 1))

    @staticmethod
    def _exit_time(steps: Floats, player: int, costs: Floats) -> float:
        return float(np.delete(steps[player] * costs, player).sum())

    def _until(self, goal: int, time: Floats, sign: int) -> Floats:
        """Return the mean time from each player to a goal: the least by sign 1, or the greatest.

        Only the ``time`` at a player counts.
        """
        # From where all steps are likely, floats tell which players are nearer. Times that are too
        # long for that belong to shares of nearly 0.
        picks = np.full_like(self.least, sign > 0, dtype=bool)
        costs = np.zeros(len(time))
        for _ in range(_MAX_POLICIES):
            costs = _costs(np.where(picks, self.most, self.least), goal, time)
            better = sign * costs < sign * costs[:, None]
            if (better == picks).all():
                break
            picks = better
        return costs


def _costs(steps: Floats, goal: int, time: Floats) -> Floats:
    """Return the mean time from each player to a goal, by an elimination that subtracts nothing."""
    others = np.delete(np.arange(len(steps)), goal)
    between, ending = steps[np.ix_(others, others)], steps[others, goal].copy()
    remaining = time[others].astype(float)
    leaving = np.zeros(len(others))
    for last in range(len(others) - 1, -1, -1):
        leaving[last] = between[last, :last].sum() + ending[last]
        into = between[:last, last]
        between[:last, :last] += np.outer(into, between[last, :last] / leaving[last])
        ending[:last] += into * (ending[last] / leaving[last])
        remaining[:last] += into * (remaining[last] / leaving[last])
    costs = np.zeros(len(steps))
    for place, player in enumerate(others):
        earlier = between[place, :place] @ costs[others[:place]]
        costs[player] = (remaining[place] + earlier) / leaving[place]
    return costs
