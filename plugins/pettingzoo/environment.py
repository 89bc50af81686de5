"""A game of arena as an environment of PettingZoo: the class, where the library is."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from arena.errors import IllegalMove, quoted
from arena.game import CHANCE, Game, Payoffs, Position
from arena.games.repeated import RepeatedGame
from arena.match.unseen import chance_move
from arena.plugins.pettingzoo.encoding import encoding_of, number_of_actions
from arena.plugins.pettingzoo.policies import observation


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game of arena, without the wrappers of :func:`arena.pettingzoo.env`."""

    def __init__(self, game: Game, max_cycles: int | None, render_mode: str | None) -> None:
        super().__init__()
        self.game, self.max_cycles, self.render_mode = game, max_cycles, render_mode
        self.metadata = {
            "name": game.name,
            "render_modes": ["ansi"],
            "is_parallelizable": isinstance(game, RepeatedGame),
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        form, count = encoding_of(game), number_of_actions(game)
        box = spaces.Box(0, form.most, form.shape, form.dtype)
        mask = spaces.Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        #: Whether a game is won, drawn or lost: the rewards are 1, 0 and -1 then.
        self.is_plain = game.payoffs == Payoffs()
        self.worst = self._reward(game.payoffs.least)
        self._rng = random.Random()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions: the numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game. The seed decides the luck of this game and of those after it."""
        if seed is not None:
            self._rng = random.Random(seed)
        self._luck = f"{self.game.name}/{self._rng.getrandbits(64)}"
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._moves_made = 0
        self._go_on(self.game.start())

    def observe(self, agent: str) -> Any:
        """Return what an agent knows, with its legal moves while it is to move."""
        seat = self.possible_agents.index(agent)
        position = self.position
        is_asked = position.to_move == seat and not self._is_over
        legal = position.legal_moves() if is_asked else ()
        return observation(position.observation(seat), seat, legal)

    def step(self, action: Any) -> None:
        """Make a move of the agent that is selected. Raises IllegalMove if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self.position.is_legal(int(action)):
            raise IllegalMove(f"action {action} is not legal at {quoted(str(self.position))}")
        self._moves_made += 1
        seat = self.possible_agents.index(agent)
        self._go_on(self.position.play(int(action)), (seat + 1) % self.game.seats)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the picture of the position."""
        return self.position.picture() if self.render_mode == "ansi" else None

    @property
    def _is_over(self) -> bool:
        return not self.position.legal_moves()

    def _go_on(self, position: Position, otherwise: int = 0) -> None:
        """Let chance move, and select who moves, or some agent after the end."""
        event = position.ply
        while position.to_move == CHANCE and position.legal_moves():
            move = chance_move(position.chance_moves(), self._luck, event)
            position, event = position.play(move), event + 1
        self.position = position
        seat = otherwise if self._is_over else int(position.to_move)
        self.agent_selection = self.possible_agents[seat]
        paid = position.payoffs()
        if paid is not None:
            pairs = zip(self.agents, paid, strict=True)
            self.rewards = {agent: self._reward(payoff) for agent, payoff in pairs}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None:
            cut = self._moves_made >= self.max_cycles * self.game.seats
            self.truncations = dict.fromkeys(self.agents, cut)

    def _reward(self, payoff: Any) -> float:
        return float(2 * payoff - 1 if self.is_plain else payoff)
