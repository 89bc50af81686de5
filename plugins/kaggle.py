"""Play with agents as they are on Kaggle: ``kaggle:./agent.py`` at connect four and tic-tac-toe.

An agent is the last callable thing that its file defines, ``agent(observation, configuration)``. It
answers with a column, or with a square from 0 in reading order. The names of what it receives are
those of ConnectX and Tic Tac Toe in kaggle-environments.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.game import Game, Side

#: Kaggle's limits of time, in seconds; arena's own limits decide here.
KAGGLE_TIMES = {"timeout": 2, "actTimeout": 2, "agentTimeout": 60, "runTimeout": 1200}
OVERAGE_TIME = 60

#: The number of a square's owner, by the letter of a position's text.
OWNERS = {"_": 0, "x": 1, "o": 2}


class Struct(dict[str, Any]):
    """A dict whose values are attributes too: ``observation.board``."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r}, but {', '.join(self)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Agent:
    """The stateful player that plays one game as the agent in a file."""

    def __init__(self, path: str, is_isolated: bool) -> None:
        self._path, self._is_isolated = path, is_isolated
        self._agent: Callable[..., Any] | None = None
        self._configuration = Struct()
        self._mark = 0

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Execute the file.

        In a process of its own the shared generators are seeded: an agent has no other.
        """
        columns, rows, k = (getattr(game, name) for name in ("columns", "rows", "k"))
        self._mark = side + 1
        self._configuration = Struct(
            columns=columns, rows=rows, inarow=k, episodeSteps=game.max_plies + 1, **KAGGLE_TIMES
        )
        seed = rng.getrandbits(32)
        if self._is_isolated:
            random.seed(seed)
        self._agent = last_callable(self._path)
        numpy = sys.modules.get("numpy")
        if self._is_isolated and numpy is not None:
            numpy.random.seed(seed)

    def choose(self, position: Any) -> int:
        """Return the agent's answer."""
        observation = Struct(
            board=[OWNERS[letter] for letter in str(position)],
            mark=self._mark,
            step=position.ply,
            remainingOverageTime=OVERAGE_TIME,
        )
        code = getattr(self._agent, "__code__", None)
        arguments = observation, self._configuration
        assert self._agent is not None
        answer: int = self._agent(*arguments[: 2 if code is None else code.co_argcount])
        return answer


def last_callable(path: str) -> Callable[..., Any]:
    """Execute a file and return the last callable thing that it defined.

    Raises ValueError if it has none.
    """
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    names: dict[str, Any] = {}
    exec(compile(Path(path).read_bytes(), path, "exec"), names)  # noqa: S102 (the user asks for it)
    functions: list[Callable[..., Any]] = [value for value in names.values() if callable(value)]
    if not functions:
        raise ValueError("it defines no function agent(observation, configuration)")
    return functions[-1]
