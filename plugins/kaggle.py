"""Play with agents as they are on Kaggle, ``kaggle:./agent.py``, at arena's own games.

An agent is the last callable thing that its file defines, ``agent(observation, configuration)``.
The names of what it receives are those of kaggle-environments: of ConnectX at connect four, of Tic
Tac Toe, and of Rock Paper Scissors. At the environments themselves arena.plugins.agent_file runs
it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena.game import Game, Side
from arena.plugins.agent_file import Struct, ask, last_callable, seeded_agent

#: Kaggle's limits of time, in seconds; arena's own limits decide here.
KAGGLE_TIMES = {"timeout": 2, "actTimeout": 2, "agentTimeout": 60, "runTimeout": 1200}
OVERAGE_TIME = 60

#: The number of a square's owner, by the letter of a position's text.
OWNERS = {"_": 0, "x": 1, "o": 2}


class Agent:
    """The stateful player that plays one game as the agent in a file."""

    def __init__(self, path: str, is_isolated: bool) -> None:
        self._path, self._is_isolated = path, is_isolated
        self._agent: Callable[..., Any] | None = None
        self._configuration = Struct()
        self._observed: Callable[[Any], dict[str, Any]] = dict

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Execute the file.

        In a process of its own the shared generators are seeded: an agent has no other.
        """
        words = {"__raw_path__": self._path}
        if hasattr(game, "matrix"):
            self._observed = _round_of
            facts = {"signs": 3, "tieRewardThreshold": 1, **KAGGLE_TIMES, "actTimeout": 1}
            self._configuration = Struct(episodeSteps=game.max_plies // 2 + 1, **facts, **words)
        else:
            facts = {name: getattr(game, name) for name in ("columns", "rows")}
            facts |= {"inarow": game.k, "episodeSteps": game.max_plies + 1}  # type: ignore[attr-defined]
            self._observed = _board_for(side)
            self._configuration = Struct(**facts, **KAGGLE_TIMES, **words)
        seed = rng.getrandbits(32)
        self._agent = (
            seeded_agent(self._path, seed) if self._is_isolated else last_callable(self._path)
        )

    def choose(self, info_state: Any) -> int:
        """Return the agent's answer."""
        assert self._agent is not None
        observation = Struct(self._observed(info_state), remainingOverageTime=OVERAGE_TIME)
        answer: int = ask(self._agent, (observation, self._configuration))
        return answer


def _board_for(side: Side) -> Callable[[Any], dict[str, Any]]:
    """Return what tells a side the board."""

    def observed(position: Any) -> dict[str, Any]:
        board = [OWNERS[letter] for letter in str(position)]
        return {"board": board, "mark": side + 1, "step": position.ply}

    return observed


def _round_of(seen: Any) -> dict[str, Any]:
    """Return what Kaggle tells of the rounds that a seat has seen.

    The first observation has no ``lastOpponentAction``, as there.
    """
    seat = seen.seat
    moves = [seen.game.words.index(word) for word in seen.events]
    rounds = list(zip(moves[::2], moves[1::2], strict=False))
    observed = {"step": len(rounds), "reward": sum(seen.game.matrix[r][seat] for r in rounds)}
    return observed | ({"lastOpponentAction": rounds[-1][1 - seat]} if rounds else {})
