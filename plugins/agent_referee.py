"""Referee a game of agents at an environment of Kaggle or of TextArena.

``python -m arena.plugins.agent_referee --game=kaggle:connectx -p1 COMMAND -p2 COMMAND -s SEED``
keeps to the convention of docs/referee.md. The library's own rules decide. An agent is a program
that gets lines of JSON, such as ``{"observation": {}, "configuration": {}}``, and answers each with
``{"action": 3}`` or ``{"error": "KeyError: 'board'"}``. This module imports nothing of arena: its
box need not have it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import selectors
import shlex
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

#: The most players of a referee, and the most bytes of an answer.
_SEATS, _ANSWER = 8, 1 << 20

#: The share of the time for a game that its agents have. The rest is for the environment.
_SHARE = 0.8

#: The statuses of Kaggle by which an agent is out.
_OUT = ("ERROR", "INVALID", "TIMEOUT")

#: The options by which environments of Kaggle take a seed.
_SEED_OPTIONS = ("seed", "randomSeed")


class AgentError(Exception):
    """The agent has no answer that can be read."""


class AgentTimeout(Exception):
    """The agent has not answered in time."""


class GameEnd(NamedTuple):
    """How a game ended: the scores of all seats, and why some of them forfeit."""

    scores: list[float]
    forfeits: dict[int, str]


class AgentProcess:
    """An agent that a command started."""

    def __init__(self, command: str, seed: int, seconds: float) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (the referee is told to)
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self._seed, self._remaining, self._read = seed, seconds, b""
        self._has_answered = False
        #: Why it is out, and what it answered last.
        self.problem, self.action = "", ""

    def ask(self, question: Mapping[str, Any], seconds: float | None = None) -> Any:
        """Return the agent's action. It has so many seconds, and no more than are left.

        Raises AgentError if there is none, and AgentTimeout if it comes too late.
        """
        if self.problem:
            raise AgentError(self.problem)
        if not self._has_answered:
            question = {**question, "seed": self._seed}
        limit = self._remaining if seconds is None else min(seconds, self._remaining)
        began = time.monotonic()
        try:
            line = self._line(json.dumps(question, default=_plain).encode() + b"\n", began + limit)
            action = self._action(line)
        except (AgentError, AgentTimeout) as error:
            self.problem = str(error) or f"no answer within {limit:.3g} s"
            self.close()
            raise
        finally:
            self._remaining -= time.monotonic() - began
        self._has_answered, self.action = True, json.dumps(action)
        return action

    def _line(self, question: bytes, deadline: float) -> bytes:
        """Write a line and return the next one. The agent may answer before it has read all."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._output, selectors.EVENT_READ)
            waiting.register(self._input, selectors.EVENT_WRITE)
            while b"\n" not in self._read:
                ready = waiting.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise AgentTimeout
                for key, _ in ready:
                    if key.fileobj is self._output:
                        self._hear()
                        continue
                    with suppress(BrokenPipeError):  # it has ended, which its output tells
                        question = question[os.write(self._input.fileno(), question) :]
                    if not question:
                        waiting.unregister(self._input)
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _hear(self) -> None:
        """Read a piece. Raises AgentError at the end of its output."""
        piece = os.read(self._output.fileno(), 1 << 16)
        self._read += piece
        if not piece:
            raise AgentError(f"it ended without an answer{self._hint}")
        if len(self._read) > _ANSWER:
            raise AgentError(f"its answer has more than {_ANSWER >> 10} KiB")

    @property
    def _hint(self) -> str:
        """How to name an agent's file, for one that may be started as it is."""
        hint = " (an agent's file is named kaggle:FILE or textarena:FILE)"
        return "" if self._has_answered else hint

    def _action(self, line: bytes) -> Any:
        try:
            answer = json.loads(line)
        except ValueError:
            problem = f"its answer is not JSON: {_short_line(line.decode(errors='replace'))}"
            raise AgentError(f"{problem}{self._hint}") from None
        if isinstance(answer, dict) and "action" in answer:
            return answer["action"]
        if isinstance(answer, dict) and "error" in answer:
            raise AgentError(_short_line(str(answer["error"])))
        raise AgentError(f'its answer is not {{"action": ...}}: {_short_line(json.dumps(answer))}')

    def close(self) -> None:
        """End the agent. It hears that by the end of its input, if it is not the process itself."""
        for pipe in (self._input, self._output):
            with suppress(OSError):
                pipe.close()
        self._process.kill()
        self._process.wait()


def _plain(value: Any) -> Any:
    """Return an array or a number of NumPy as JSON has it."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _short_line(text: str) -> str:
    """Return a text on one line that is not long."""
    line = "".join(each if each.isprintable() else " " for each in text)
    return line if len(line) <= 120 else f"{line[:119]}…"


def play_kaggle(
    name: str, parameters: Mapping[str, Any], agents: Sequence[AgentProcess], seed: int
) -> GameEnd:
    """Play a game at an environment of Kaggle, by its own interpreter and runner.

    One that would draw from the system draws from the seed too.
    """
    random.SystemRandom = partial(random.Random, seed)  # type: ignore[assignment,misc]
    kaggle, folder = _kaggle_with(name)
    file = folder / name / f"{name}.json"
    options = json.loads(file.read_text("utf-8"))["configuration"] if file.exists() else {}
    seeds = {option: seed for option in _SEED_OPTIONS if option in options}
    _seed_generators(seed)
    environment = kaggle.make(name, configuration=seeds | dict(parameters))
    environment.run([_kaggle_agent(agent, kaggle.errors.DeadlineExceeded) for agent in agents])
    forfeits = {
        seat: f"{state.status}: {agent.problem or f'it answered {_short_line(agent.action)}'}"
        for seat, (agent, state) in enumerate(zip(agents, environment.state, strict=True))
        if state.status in _OUT
    }
    rewards = [state.reward for state in environment.state]
    return GameEnd([0 if seat in forfeits else each for seat, each in enumerate(rewards)], forfeits)


def _kaggle_with(name: str) -> tuple[Any, Path]:
    """Return the package with this environment, and the folder of its environments.

    It imports all environments, which takes seconds and memory, so it is shown the folder of one.
    """
    spec = find_spec("kaggle_environments")
    if spec is None or spec.origin is None:
        sys.exit("kaggle-environments is not installed")
    folder, listdir = Path(spec.origin).parent / "envs", os.listdir

    def only_one(path: Any = ".") -> list[Any]:
        return [name] if Path(path) == folder else listdir(path)

    os.listdir = only_one
    try:
        kaggle = import_module("kaggle_environments")
    finally:
        os.listdir = listdir
    return kaggle, folder


def _kaggle_agent(agent: AgentProcess, late: Callable[[], Exception]) -> Callable[[Any, Any], Any]:
    """Return an agent as Kaggle calls it. An error that it raises is the status ERROR."""

    def act(observation: Any, configuration: Any) -> Any:
        seconds = configuration.actTimeout + observation.get("remainingOverageTime", 0)
        question = {"observation": observation, "configuration": configuration}
        try:
            return agent.ask(question, seconds)
        except AgentTimeout:
            return late()

    return act


def play_textarena(
    name: str, parameters: Mapping[str, Any], agents: Sequence[AgentProcess], seed: int
) -> GameEnd:
    """Play a game at an environment of TextArena. It has no limits of time.

    An agent of two that fails ends the game. One of more says nothing from then on.
    """
    textarena = import_module("textarena")
    _seed_generators(seed)
    environment = textarena.make(name, **parameters)
    environment.reset(num_players=len(agents), seed=seed)
    forfeits: dict[int, str] = {}
    is_over = False
    while not is_over:
        seat, observation = environment.get_observation()
        if not isinstance(observation, str):
            sys.exit(f"an observation of {name} is no text: {_short_line(repr(observation))}")
        try:
            action = agents[seat].ask({"observation": observation})
            if not isinstance(action, str):
                agents[
                    seat
                ].problem = f"it answered {_short_line(json.dumps(action))}, which is no text"
                raise AgentError
        except (AgentError, AgentTimeout) as error:
            status = "TIMEOUT" if isinstance(error, AgentTimeout) else "ERROR"
            forfeits.setdefault(seat, f"{status}: {agents[seat].problem}")
            if len(agents) == 2:
                return GameEnd([0, 0], forfeits)
            action = ""
        is_over, _ = environment.step(action)
    rewards, info = environment.close()
    for seat in range(len(agents)):
        if info.get(seat, {}).get("invalid_move"):
            forfeits.setdefault(seat, f"INVALID: {_short_line(str(info[seat].get('reason')))}")
    return GameEnd([rewards[seat] for seat in range(len(agents))], forfeits)


def _seed_generators(seed: int) -> None:
    """Seed the shared generators, from which environments draw."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def verdict(ended: GameEnd) -> list[str]:
    """Return the lines of a referee. Of two that forfeit at once the first one does."""
    for seat, score in enumerate(ended.scores, start=1):
        if not isinstance(score, int | float) or not isfinite(score):
            sys.exit(f"the reward of player {seat} is {score!r}, which is no number")
    lines = [f"ERR {seat + 1} {reason}" for seat, reason in sorted(ended.forfeits.items())]
    if lines and len(ended.scores) == 2:
        return lines[:1]
    return [*lines, " ".join(map(decimal, ended.scores))]


def decimal(score: float) -> str:
    """Return a number of at most 15 digits without an exponent.

    >>> decimal(12), decimal(-0.25), decimal(1 / 3), decimal(1e-20)
    ('12', '-0.25', '0.33333333333333', '0')
    """
    whole = len(str(abs(int(score))))
    text = f"{score:.{max(0, 15 - whole)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def main(arguments: Sequence[str]) -> None:
    """Play the game and print the verdict."""
    if "PYTHONHASHSEED" not in os.environ:  # a set of texts has the same order in each game
        command = [sys.executable, *sys.orig_argv[1:]]
        os.execve(sys.executable, command, os.environ | {"PYTHONHASHSEED": "0"})  # noqa: S606
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True, metavar="LIBRARY:ENVIRONMENT")
    parser.add_argument("--parameters", type=json.loads, default={}, metavar="JSON")
    parser.add_argument("--seconds", type=float, default=60.0, help="a player's time for a game")
    parser.add_argument("-s", "--seed", type=int, required=True)
    for number in range(1, _SEATS + 1):
        parser.add_argument(f"-p{number}", dest=f"p{number}", metavar="COMMAND")
    options = parser.parse_args(arguments)
    commands = [getattr(options, f"p{number}") for number in range(1, _SEATS + 1)]
    seeds = random.Random(options.seed)
    agents = [
        AgentProcess(command, seeds.getrandbits(32), _SHARE * options.seconds)
        for command in commands
        if command
    ]
    library, _, name = options.game.partition(":")
    play = {"kaggle": play_kaggle, "textarena": play_textarena}[library]
    try:
        with redirect_stdout(sys.stderr):
            ended = play(name, options.parameters, agents, options.seed)
    except Exception as error:
        traceback.print_exc()
        sys.exit(_short_line(f"{type(error).__name__}: {error}"))  # arena shows the last line
    for agent in agents:
        agent.close()
    print(*verdict(ended), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
