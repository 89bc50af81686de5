"""Step an environment: who moves after some moves, what it sees, and what all were paid.

An environment changes as it is stepped, and a copy of one is often a new one that has forgotten its
game. So there is one, which goes on from where it is, or begins again and repeats the moves.
"""

from __future__ import annotations

import math
import threading
from fractions import Fraction
from typing import Any, NamedTuple

from arena.errors import PluginError, UsageError, describe, quoted
from arena.game import MAX_MOVE
from arena.games.floats import fraction_of
from arena.plugins.pettingzoo import spaces
from arena.plugins.pettingzoo.library import make_environment
from arena.plugins.pettingzoo.naming import EnvironmentName
from arena.seats import MAX_SEATS

#: The key of the mask of legal actions, in an observation or in an agent's infos.
_MASK = "action_mask"


class NotTheSame(PluginError):
    """An environment does not do again what it did after the same seed and moves."""


class Scene(NamedTuple):
    """The visible state of an environment after some moves."""

    seed: int
    actions: tuple[int, ...]
    #: The seat that moves, -1 after the end; its legal moves, and what it observes, as JSON.
    seat: int
    legal: tuple[int, ...]
    seen: str
    #: The sum of the rewards of each seat.
    paid: tuple[Fraction, ...]


class Stage:
    """Makes scenes of one environment. Raises UsageError if arena cannot play it."""

    def __init__(self, named: EnvironmentName) -> None:
        self._name = named.name
        #: What the environment shows now, and a lock, as threads may play games of one process.
        self._now: Scene | None = None
        self._lock = threading.Lock()
        self._environment = make_environment(named.name, named.environment, dict(named.parameters))
        self.agents = tuple(getattr(self._environment, "possible_agents", ()))
        if not 2 <= len(self.agents) <= MAX_SEATS:
            raise self._refused(
                f"is for {len(self.agents)} agents, and arena plays 2 to {MAX_SEATS}"
            )
        self._seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self._spaces = [self._environment.observation_space(agent) for agent in self.agents]
        actions = [self._environment.action_space(agent) for agent in self.agents]
        if any(type(space).__name__ != "Discrete" for space in actions):
            raise self._refused("has actions that are not numbers from a range (Discrete)")
        if not all(map(spaces.is_writable, self._spaces)):
            raise self._refused("has observations that JSON cannot hold")
        self._first = [int(space.start) for space in actions]
        self._counts = [int(space.n) for space in actions]
        self.actions = max(self._counts)
        if self.actions > MAX_MOVE:
            raise self._refused(f"has more than {MAX_MOVE} actions")

    def begin(self, seed: int) -> Scene:
        """Return what shows after a reset with this seed."""
        with self._lock:
            return self._reset(seed)

    def after(self, scene: Scene, move: int) -> Scene:
        """Return what shows after one more move, which must be legal."""
        with self._lock:
            if self._now != scene:
                repetition = self._reset(scene.seed)
                for action in scene.actions:
                    repetition = self._step(repetition, action)
                if repetition != scene:
                    raise NotTheSame(
                        f"environment {quoted(self._name)} does not do the same again after seed"
                        f" {scene.seed} and moves {list(scene.actions)}"
                    )
            return self._step(scene, move)

    def observed(self, seat: int, text: str) -> Any:
        """Return the observation that a text describes, as the environment gave it."""
        return spaces.read(self._spaces[seat], text)

    def _reset(self, seed: int) -> Scene:
        self._now = None  # until all went well
        try:
            self._environment.reset(seed=seed)
        except Exception as error:
            raise self._fault(f"reset(seed={seed}) raised {describe(error)}") from error
        self._now = self._scene(seed, (), (Fraction(0),) * len(self.agents))
        return self._now

    def _step(self, before: Scene, move: int) -> Scene:
        """Step the environment, which shows what was before, and return what it shows now."""
        self._now, actions = None, (*before.actions, move)
        try:
            self._environment.step(self._first[before.seat] + move)
            rewards = dict(self._environment.rewards)
        except Exception as error:
            raise self._fault(f"step {list(actions)} raised {describe(error)}") from error
        self._now = self._scene(before.seed, actions, self._added(before.paid, rewards))
        return self._now

    def _scene(self, seed: int, actions: tuple[int, ...], paid: tuple[Fraction, ...]) -> Scene:
        """Let the agents that are out make their empty steps, and look who moves."""
        environment = self._environment
        try:
            for _ in range(2 * len(self.agents)):
                if not environment.agents or not _is_out(environment):
                    break
                environment.step(None)
            if not environment.agents:
                return Scene(seed, actions, -1, (), "", paid)
            agent = environment.agent_selection
            seen = environment.observe(agent)
            infos = environment.infos.get(agent, {})
        except Exception as error:
            problem = f"it raised {describe(error)} after {list(actions)}"
            raise self._fault(problem) from error
        seat = self._seat_of.get(agent, -1)
        if seat < 0:
            raise self._fault(f"it selects agent {agent!r}, who is none of its possible agents")
        if not self._spaces[seat].contains(seen):
            raise self._fault(
                f"the observation of {agent} after {list(actions)} is not in its space"
            )
        legal = self._legal(seat, seen, infos, actions)
        return Scene(seed, actions, seat, legal, spaces.written(seen), paid)

    def _legal(self, seat: int, seen: Any, infos: Any, actions: tuple[int, ...]) -> tuple[int, ...]:
        """Return the moves that the mask allows, all of them without a mask."""
        mask = seen.get(_MASK) if isinstance(seen, dict) else None
        mask = infos.get(_MASK) if mask is None else mask
        count = self._counts[seat]
        if mask is None:
            return tuple(range(count))
        if len(mask) != count or not any(mask):
            problem = f"{sum(map(bool, mask))} of {len(mask)} actions"
            raise self._fault(
                f"the mask of {self.agents[seat]} allows {problem} after {list(actions)}"
            )
        return tuple(move for move in range(count) if mask[move])

    def _added(self, paid: tuple[Fraction, ...], rewards: Any) -> tuple[Fraction, ...]:
        given = [float(rewards.get(agent, 0)) for agent in self.agents]
        if not all(map(math.isfinite, given)):
            raise self._fault(f"it rewards {given}")
        return tuple(
            sum_ + fraction_of(reward) if reward else sum_
            for sum_, reward in zip(paid, given, strict=True)
        )

    def _refused(self, trait: str) -> UsageError:
        return UsageError(f"game {quoted(self._name)} {trait}")

    def _fault(self, problem: str) -> PluginError:
        return PluginError(f"environment {quoted(self._name)} failed: {problem}")


def _is_out(environment: Any) -> bool:
    agent = environment.agent_selection
    return bool(environment.terminations[agent] or environment.truncations[agent])
