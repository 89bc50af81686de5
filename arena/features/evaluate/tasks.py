"""Take each game as a task, and the players that played all of them as agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arena.errors import UsageError
from arena.features.evaluate.opponent_results import NamePair, OpponentResults, span_of
from arena.stats.band import Band


def agents_of(players: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the players that played every game, by name. Raises UsageError without two."""
    fields = [set(names) for names in players.values()]
    agents = sorted(set.intersection(*fields))
    if len(agents) < 2:
        raise UsageError(
            f"--by game compares players that played every game ({', '.join(players)}), and"
            f" {'one did' if agents else 'none did'}"
        )
    return agents


def task_scores(
    game: str, agents: Sequence[str], seen: Mapping[NamePair, OpponentResults]
) -> list[list[OpponentResults]]:
    """Return for each agent its results against the opponents that all agents met.

    An agent that is one of these opponents has no result against itself. Raises UsageError if an
    agent has no such opponent.
    """
    players = sorted({a for a, _ in seen})
    shared = [
        other
        for other in players
        if all(agent == other or (agent, other) in seen for agent in agents)
    ]
    scores = [[seen[agent, other] for other in shared if other != agent] for agent in agents]
    for agent, samples in zip(agents, scores, strict=True):
        if not samples:
            raise UsageError(
                f"the players did not meet the same opponents at {game}, so the score of {agent}"
                " there does not compare"
            )
    return scores


def band_of_tasks(matrix: Sequence[Sequence[Sequence[OpponentResults]]], entries: int) -> Band:
    """Return the scores of agents, in rows, at tasks, with the band of this many entries.

    ``matrix`` has the results of each agent at each task, by task.
    """
    spans = np.array([[span_of(samples, entries) for samples in task] for task in matrix])
    score, low, high = np.moveaxis(spans, (2, 1, 0), (0, 1, 2))
    return Band(score, low, high)
