"""Run the agent in a file as a program: it reads lines of JSON, and answers each with one.

The referee in arena.plugins.agent_referee speaks with it, in the games ``kaggle:`` and
``textarena:``. It imports nothing of arena, which the box of a player need not have.
"""

from __future__ import annotations

import json
import os
import random
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


class Struct(dict[str, Any]):
    """A dict whose values are attributes too: ``observation.board``."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r}, but {', '.join(self)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def structured(value: Any) -> Any:
    """Return the same value of JSON, with a Struct for every dict in it."""
    if isinstance(value, dict):
        return Struct({key: structured(each) for key, each in value.items()})
    return [structured(each) for each in value] if isinstance(value, list) else value


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


def seeded_agent(path: str, seed: int) -> Callable[..., Any]:
    """Return the agent in a file. Seed the shared generators, because it has no other."""
    random.seed(seed)
    agent = last_callable(path)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
    return agent


def ask(agent: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Call an agent with as many of the arguments as it takes."""
    code = getattr(agent, "__code__", None)
    return agent(*arguments[: len(arguments) if code is None else code.co_argcount])


def answer_to(path: str, agent: Callable[..., Any] | None, question: dict[str, Any]) -> Any:
    """Return the agent, loaded at the first question, and its answer."""
    is_told = "configuration" in question
    if agent is None:
        agent = seeded_agent(path, question.get("seed", 0))
        if isinstance(agent, type) and not is_told:  # TextArena's agents are objects
            agent = agent()
    arguments = [structured(question["observation"])]
    if is_told:
        arguments.append(Struct(structured(question["configuration"]), __raw_path__=path))
    return agent, ask(agent, arguments)


def main() -> None:
    """Answer questions until there are no more, or the agent fails.

    The agent's own output goes to the error output, and its own input is empty.
    """
    if "PYTHONHASHSEED" not in os.environ:  # a set of texts has the same order in each game
        command = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, command, os.environ | {"PYTHONHASHSEED": "0"})  # noqa: S606
    path, agent = sys.argv[1], None
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for line in questions:
        try:
            agent, action = answer_to(path, agent, json.loads(line))
            answer = json.dumps({"action": action})
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            answer = json.dumps({"error": f"{type(error).__name__}: {error}"})
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
