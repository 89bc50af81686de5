"""Weigh players by the equilibrium of the game in which each side names one of them.

Two sides each name a player, and the first is paid how much its player is better. The equilibrium
of greatest entropy weighs the players: this is Nash averaging (Balduzzi, Tuyls, Perolat and
Graepel, "Re-evaluating Evaluation", NeurIPS 2018). With margins of votes for payoffs the
equilibria are the maximal lotteries (Fishburn, Review of Economic Studies 51, 1984; Brandl, Brandt
and Seedig, Econometrica 84, 2016).

Over a band of matrices the weights p keep ``sum of p_i a_ij >= 0`` for each j. Let z_ij be
p_i a_ij: it lies between p_i times the ends of a_ij, so all constraints are linear in p and z. The
program does not hold z_ij / p_i and z_ji / p_j to opposite numbers. So it admits more points than
there are equilibria, and its intervals are never too short. A player that has a weight loses
nothing against the weights: where programs show that one of the two is 0, they leave out the other
points.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from arena.arrays import Floats
from arena.stats.entropy import most_even
from arena.stats.polytope import Constraint, Polytope, Spans, impose_complementarity


class Equilibrium(NamedTuple):
    """The weights of an equilibrium, and what it pays."""

    weights: Floats
    #: The payoff of each player against the weights.
    payoffs: Floats


class Intervals(NamedTuple):
    """The spans of the weights and of the payoffs over a band."""

    weights: Spans
    payoffs: Spans


class AgainstTasks(NamedTuple):
    """The weights of agents and of tasks, and the payoff of each agent against those of tasks."""

    agents: Floats
    tasks: Floats
    payoffs: Floats


class TaskIntervals(NamedTuple):
    """The spans of the same numbers over a band."""

    agents: Spans
    tasks: Spans
    payoffs: Spans


def equilibrium_of(payoffs: Floats) -> Equilibrium:
    """Return the equilibrium of greatest entropy of antisymmetric payoffs.

    >>> equilibrium_of(np.array([[0.0, 0.2], [-0.2, 0]])).weights.tolist()
    [1.0, 0.0]
    """
    weights = most_even(payoffs, 0)
    return Equilibrium(weights, payoffs @ weights)


def intervals_of(low: Floats, high: Floats) -> Intervals:
    """Return the spans over all antisymmetric payoffs between these ends."""
    number = len(low)
    players = np.arange(number)
    rows = [Constraint(players, np.ones(number), 1, 1)]
    for j in players:  # player j falls short of the equilibrium by its column number + j
        columns = np.append(players, number + j)
        rows.append(Constraint(columns, np.append(high[:, j], -1), 0, np.inf))
        rows.append(Constraint(columns, np.append(low[:, j], -1), -np.inf, 0))
    ends = np.concatenate([np.ones(number), np.full(number, np.inf)])
    polytope = Polytope(np.zeros(2 * number), ends, rows)
    weights, short = players.tolist(), (number + players).tolist()
    impose_complementarity(polytope, [*zip(weights, short, strict=True)])
    shortfalls = polytope.spans(short, weights)
    payoffs = Spans(
        -shortfalls.high, -shortfalls.low, frozenset((j, i) for i, j in shortfalls.above)
    )
    return Intervals(polytope.spans(weights, short), payoffs)


def against_tasks(scores: Floats) -> AgainstTasks:
    """Return the equilibrium of greatest entropy where one side names agents and one tasks.

    ``scores`` has a row for each agent. The agents' side is paid the score, and the other loses it.
    """
    agents, tasks = scores.shape
    value = _value(scores)
    slack = 1e-12  # the value is rounded
    by_agents = most_even(scores, value - slack) if agents > 1 else np.ones(1)
    by_tasks = most_even(-scores.T, -value - slack) if tasks > 1 else np.ones(1)
    return AgainstTasks(by_agents, by_tasks, scores @ by_tasks)


def _value(scores: Floats) -> float:
    """Return the value of the game of agents against tasks."""
    agents, tasks = scores.shape
    rows = [Constraint(np.arange(agents), np.ones(agents), 1, 1)]
    rows += [
        Constraint(np.arange(agents + 1), np.append(scores[:, task], -1), 0, np.inf)
        for task in range(tasks)
    ]
    low = np.append(np.zeros(agents), -np.inf)
    polytope = Polytope(low, np.append(np.ones(agents), np.inf), rows)
    value = polytope.extreme(agents, -1)
    assert value is not None  # some agent has some score
    return value


def task_intervals(low: Floats, high: Floats) -> TaskIntervals:
    """Return the spans over all scores of agents at tasks between these ends.

    The columns are the weights of agents, those of tasks, by how much each agent falls short of the
    value and each task exceeds it, the payoffs of agents, and the value.
    """
    agents, tasks = low.shape
    ends = np.cumsum([0, agents, tasks, agents, tasks, agents, 1])
    xs, ys, short, over, payoffs, (value,) = (
        np.arange(first, last) for first, last in pairwise(ends)
    )
    rows = [Constraint(xs, np.ones(agents), 1, 1), Constraint(ys, np.ones(tasks), 1, 1)]
    for task in range(tasks):
        columns = [*xs, value, over[task]]
        rows.append(Constraint(columns, [*high[:, task], -1, -1], 0, np.inf))
        rows.append(Constraint(columns, [*low[:, task], -1, -1], -np.inf, 0))
    for agent in range(agents):
        columns = [*ys, payoffs[agent]]
        rows.append(Constraint(columns, [*low[agent], -1], -np.inf, 0))
        rows.append(Constraint(columns, [*high[agent], -1], 0, np.inf))
        rows.append(Constraint([payoffs[agent], short[agent], value], [1, 1, -1], 0, 0))
    least, most = np.zeros(ends[-1]), np.full(ends[-1], np.inf)
    least[payoffs[0] :] = -np.inf
    most[: short[0]] = 1
    polytope = Polytope(least, most, rows)
    named, slack = [*xs.tolist(), *ys.tolist()], [*short.tolist(), *over.tolist()]
    impose_complementarity(polytope, [*zip(named, slack, strict=True)])
    return TaskIntervals(
        polytope.spans(xs.tolist(), short.tolist()),
        polytope.spans(ys.tolist(), over.tolist()),
        polytope.spans(payoffs.tolist()),
    )
