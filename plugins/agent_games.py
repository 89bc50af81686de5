"""The environments of Kaggle and of TextArena as games: ``kaggle:connectx``.

A referee of arena's plays them by the library's own rules, and starts the agents. The number of
players stands before an environment, and its parameters behind it in brackets, as in
``kaggle:players=2:hungry_geese(episodeSteps=50)``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from typing import Any, NamedTuple

from arena.errors import UnknownName, UsageError, did_you_mean, quoted
from arena.player import PlayerInfo
from arena.plugins import agent_referee
from arena.plugins.libraries import Library
from arena.plugins.pettingzoo.naming import in_brackets, read_parameters
from arena.plugins.referee import USUAL_CONVENTION, CommandGame
from arena.sandbox.settings import Isolation
from arena.seats import MAX_SEATS

#: Each library is installed without what it asks for, of which its games for two need little.
KAGGLE = Library(
    "games of Kaggle",
    "kaggle-environments",
    "kaggle_environments",
    "",
    (1, 33),
    "pip install --no-deps 'kaggle-environments>=1.33' && pip install jsonschema requests",
)
TEXTARENA = Library(
    "games of TextArena",
    "textarena",
    "textarena",
    "",
    (0, 7),
    "pip install --no-deps 'textarena>=0.7' && pip install nltk python-dotenv requests rich"
    " websockets",
)

#: The most players of an environment of Kaggle unless its name says how many.
USUAL_SEATS = 4

#: The parameters that each environment of Kaggle has.
_COMMON = ("episodeSteps", "actTimeout", "runTimeout")

_NAMED = re.compile(r"(?:players=(\d+):)?([\w.-]+)\s*(?:\((.*)\))?", re.ASCII)


class AgentsGame(CommandGame):
    """The game of an environment: another release of its library is another version."""

    def __init__(
        self,
        name: str,
        library: Library,
        environment: str,
        parameters: tuple[tuple[str, Any], ...],
        seats: int,
    ) -> None:
        # Each option is one word with its value, which no file or folder has for a name.
        words = [
            *(sys.executable, "-P", str(Path(agent_referee.__file__).resolve())),
            f"--game={environment}",
            *([f"--parameters={json.dumps(dict(parameters))}"] if parameters else []),
        ]
        super().__init__(name, join(words), USUAL_CONVENTION, seats)
        self.version = library.version_of_rules()

    def options(self, players: Sequence[PlayerInfo]) -> list[str]:
        """Return the time that each agent has for a game, the least that any player is given."""
        limits = [Isolation.from_limits(dict(player.limits)).resolved() for player in players]
        return [f"--seconds={min(each.game_time for each in limits):g}"]


class _AgentGameName(NamedTuple):
    """The name of such a game, read."""

    seats: int | None
    environment: str
    parameters: tuple[tuple[str, Any], ...]


def _read(name: str, example: str) -> _AgentGameName:
    """Read a name. Raises UsageError for one that names no environment."""
    match = _NAMED.fullmatch(name.partition(":")[2])
    if match is None:
        raise UsageError(f"game {quoted(name)} names no environment, as in {quoted(example)}")
    if match[1] is not None and match[1] not in map(str, range(2, MAX_SEATS + 1)):
        raise UsageError(f"game {quoted(name)}: players is a number from 2 to {MAX_SEATS}")
    seats = None if match[1] is None else int(match[1])
    return _AgentGameName(seats, match[2], read_parameters(name, match[3] or ""))


def _full_name(library: str, named: _AgentGameName, usual: int) -> str:
    """Return the name of a game, always the same for the same rules."""
    before = "" if named.seats in (None, usual) else f"players={named.seats}:"
    return f"{library}:{before}{named.environment}{in_brackets(named.parameters)}"


def kaggle_game(text: str) -> AgentsGame:
    """Return the game of an environment of Kaggle.

    It has as many players as the environment takes, at most four, unless the name says how many.
    Raises UsageError if the package is missing, or has no such environment or parameter.
    """
    name = f"kaggle:{text}"
    named = _read(name, "kaggle:connectx")
    KAGGLE.require()
    environments = _environments_of_kaggle()
    if named.environment not in environments:
        raise UnknownName("environment of Kaggle", named.environment, sorted(environments))
    facts = json.loads(environments[named.environment].read_text("utf-8"))
    sizes = [number for number in facts.get("agents", [1]) if 2 <= number <= MAX_SEATS]
    if not sizes:
        raise UsageError(f"game {quoted(name)}: the environment is not for 2 to {MAX_SEATS} agents")
    usual = max((n for n in sizes if n <= USUAL_SEATS), default=min(sizes))
    if named.seats is not None and named.seats not in sizes:
        numbers = ", ".join(map(str, sizes))
        raise UsageError(f"game {quoted(name)}: the environment takes {numbers} agents")
    options = {*facts.get("configuration", {}), *_COMMON}
    for key, _ in named.parameters:
        if key not in options:
            raise UnknownName(f"parameter of {named.environment}", key, sorted(options))
    return AgentsGame(
        _full_name("kaggle", named, usual),
        KAGGLE,
        f"kaggle:{named.environment}",
        named.parameters,
        named.seats or usual,
    )


def _environments_of_kaggle() -> dict[str, Path]:
    """Return the files that describe environments, without an import of the package."""
    spec = find_spec(KAGGLE.module)
    assert spec is not None
    assert spec.origin is not None
    folders = (Path(spec.origin).parent / "envs").iterdir()
    files = ((folder.name, folder / f"{folder.name}.json") for folder in folders)
    return {name: file for name, file in files if file.is_file()}


def textarena_game(text: str) -> AgentsGame:
    """Return the game of an environment of TextArena, for two unless the name says how many.

    Raises UsageError if the package is missing or has no such environment.
    """
    name = f"textarena:{text}"
    named = _read(name, "textarena:TicTacToe-v0")
    TEXTARENA.require()
    environments = _environments_of_textarena()
    if named.environment not in environments:
        hint = did_you_mean(named.environment, environments)
        raise UsageError(f"game {quoted(name)}: TextArena has no such environment{hint}")
    return AgentsGame(
        _full_name("textarena", named, 2),
        TEXTARENA,
        f"textarena:{named.environment}",
        named.parameters,
        named.seats or 2,
    )


def _environments_of_textarena() -> set[str]:
    """Return the ids of environments whose observations are text."""
    ids = TEXTARENA.load().envs.registration.ENV_REGISTRY
    return {name for name in ids if not name.endswith("-raw")}
