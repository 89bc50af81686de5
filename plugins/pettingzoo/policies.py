"""Make a player of a policy, which is a function of an observation of PettingZoo's kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from arena.game import Observation, Position
from arena.player import Choose
from arena.plugins.pettingzoo.encoding import encoded, number_of_actions
from arena.plugins.pettingzoo.game import EnvironmentPosition
from arena.plugins.pettingzoo.observation import EnvironmentObservation


def as_player(policy: Callable[[Any], Any]) -> Choose:
    """Return a player that asks a policy with what it observes, as :func:`observed` has it.

    The policy answers with the number of a move.
    """

    def choose(observation: Any, _rng: random.Random) -> int:
        return int(policy(observed(observation)))

    choose.__module__ = getattr(policy, "__module__", __name__)
    return choose


def observed(seen: Observation | Position) -> Any:
    """Return what the agent to move observes in an environment.

    At a game of arena that is what :func:`arena.pettingzoo.env` shows.
    """
    if isinstance(seen, EnvironmentObservation | EnvironmentPosition):
        return seen.observed
    seat = int(seen.to_move) if isinstance(seen, Position) else seen.seat
    return observation(seen, seat, seen.legal_moves())


def observation(seen: Observation | Position, seat: int, legal: tuple[int, ...]) -> Any:
    """Return what the agent of a seat observes in a game of arena."""
    mask = np.zeros(number_of_actions(seen.game), np.int8)
    mask[list(legal)] = 1
    return {"observation": encoded(seen, seat), "action_mask": mask}
