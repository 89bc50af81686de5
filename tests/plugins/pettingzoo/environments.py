"""Environments that do what some of others do: a small game of bids, and ones that lie or break."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

_MOST = 4


class Bids(AECEnv):  # type: ignore[misc]
    """Each agent in turn bids 0 to 3 twice; a hidden card adds to its sum, and it gets the rest.

    An agent that bids 3 first is out of the game.
    """

    metadata = {"name": "bids"}  # noqa: RUF012 (so the library has it)

    def __init__(self, agents: int = 2, luck: bool = True) -> None:
        super().__init__()
        self.possible_agents = [f"bidder_{number}" for number in range(agents)]
        self.has_luck = luck
        box = spaces.Box(0, 9, (3,), np.float32)
        mask = spaces.Box(0, 1, (_MOST,), np.int8)
        self._space = spaces.Dict({"observation": box, "action_mask": mask})
        self._actions = spaces.Discrete(_MOST)

    def observation_space(self, agent: str) -> Any:
        return self._space

    def action_space(self, agent: str) -> Any:
        return self._actions

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        rng = self.generator(seed)
        self.agents = self.possible_agents[:]
        self.cards = {agent: rng.randrange(3) if self.has_luck else 1 for agent in self.agents}
        self.bids: dict[str, list[int]] = {agent: [] for agent in self.agents}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def generator(self, seed: int | None) -> random.Random:
        return random.Random(seed)

    def mask(self, agent: str) -> Any:
        return np.array([1, 1, 1, not self.bids[agent]], np.int8)

    def observe(self, agent: str) -> Any:
        seen = [self.cards[agent], *self.bids[agent], 0, 0][:3]
        return {"observation": np.array(seen, np.float32), "action_mask": self.mask(agent)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._clear_rewards()
        self.bids[agent].append(int(action))
        is_out = self.bids[agent] == [3]
        if is_out:
            self.rewards[agent] = -1.0
            self.terminations[agent] = True
        if all(self.bids[each] == [3] or len(self.bids[each]) == 2 for each in self.bids):
            for each in self.agents:
                if self.bids[each] != [3]:
                    self.rewards[each] = self.reward(each)
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self._after(agent)
        self._deads_step_first()

    def _after(self, agent: str) -> str:
        """Return the next agent that has a bid to make, or any."""
        first = self.possible_agents.index(agent) + 1
        order = [*self.possible_agents[first:], *self.possible_agents[:first]]
        waits = (each for each in order if len(self.bids[each]) < 2 and self.bids[each] != [3])
        return next(waits, self.agents[0])

    def reward(self, agent: str) -> float:
        return 0.25 * (self.cards[agent] + sum(self.bids[agent]))


def env(agents: int = 2, luck: bool = True) -> Bids:
    """Return the game of bids itself."""
    return Bids(agents, luck)


class Unseeded(Bids):
    def generator(self, seed: int | None) -> random.Random:
        return random.Random()


class OfTheProcess(Bids):
    """It draws as it goes, from the generator that all share, which a reset seeds."""

    def generator(self, seed: int | None) -> random.Random:
        random.seed(seed)
        return random.Random(seed)

    def reward(self, agent: str) -> float:
        return super().reward(agent) + random.randrange(2)


class Locked(Bids):
    """It holds what cannot be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


class OutOfItsSpace(Bids):
    def observe(self, agent: str) -> Any:
        return {**super().observe(agent), "observation": np.full(3, 99, np.float32)}


class ShortMask(Bids):
    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return {"observation": seen["observation"], "action_mask": np.zeros(_MOST, np.int8)}


class Unfair(Bids):
    def reward(self, agent: str) -> float:
        return float("nan")


class Lavish(Bids):
    def reward(self, agent: str) -> float:
        return 1000.0


class Stranger(Bids):
    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed, options)
        self.agent_selection = "nobody"


class Broken(Bids):
    def step(self, action: Any) -> None:
        raise ZeroDivisionError("a\nb \x1b[31m")


class Endless(Bids):
    def step(self, action: Any) -> None:
        agent = self.agent_selection
        self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]


class Continuous(Bids):
    def action_space(self, agent: str) -> Any:
        return spaces.Box(0, 1, (1,), np.float32)


class Pictures(Bids):
    def observation_space(self, agent: str) -> Any:
        return spaces.Sequence(spaces.Discrete(2))


def alone() -> Bids:
    return Bids(agents=1)


def crowd() -> Bids:
    return Bids(agents=9)


def nothing() -> None:
    """Return no environment."""


class AtOnce(ParallelEnv):  # type: ignore[misc]
    """An environment in which all agents move at once."""


def failing() -> Bids:
    raise RuntimeError("no licence")
