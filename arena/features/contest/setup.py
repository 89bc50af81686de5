"""Say how a contest is played, and write the commands that check and play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.dataclass import dataclass
from arena.inputs.hand_in_rules import HandInRules
from arena.player.names import NamedSpec
from arena.sandbox.settings import Isolation

#: Starts a command that ends with the process that began it.
LAUNCHER = str(Path(__file__).with_name("launcher.py"))

#: The question that ends the games of a contest whose file does not say when they end.
UNTIL = "order"

#: What stands before the ending in the name of the file of a final, and its first line.
FINAL_ENDING = ".final"
FINAL_HEAD = "# Arena wrote this copy, under whose name the final is in the store."

#: How much less of a processor a check and a game get than the server, as nice(1) counts: an author
#: waits for a check at a screen.
NICE_CHECK, NICE_PLAY = 5, 10


@dataclass(frozen=True)
class ContestSetup:
    """How a contest is played, as its file says."""

    #: The path of the contest's file, whose name is the contest's in the store, and its text.
    file: str
    text: str
    #: The name of the store, and the folder for the files of hand-ins.
    store: str
    folder: Path
    game: str
    #: The players of the file itself.
    file_players: tuple[NamedSpec, ...]
    isolation: Isolation
    rules: HandInRules
    #: The title and the rules that pages show; empty without them.
    title: str = ""
    description: str = ""
    #: The words that begin every command: plugins in files.
    plugins: tuple[str, ...] = ()
    #: Whether the games end without that question: the file says when, or the game has no answer.
    has_end: bool = False
    #: The seats of a game, and the unit of its payoffs, empty for wins, draws and losses.
    seats: int = 2
    unit: str = ""
    workers: int | None = None
    #: The executor that plays, empty for the processes of this machine.
    executor: str = ""
    #: Pairs of each pairing, where the file does not say them.
    pairs: int | None = None

    @property
    def name(self) -> str:
        """The name of the contest's file."""
        return Path(self.file).name

    @property
    def final(self) -> ContestSetup | None:
        """The setup of the final, whose file is a copy next to the contest's. None without one.

        Its run goes by the name of that file. It has no question that ends the games early unless
        the contest's file has it.
        """
        if self.rules.final is None:
            return None
        file = str(Path(self.file).with_suffix(f"{FINAL_ENDING}{Path(self.file).suffix}"))
        text = f"{FINAL_HEAD}\n{self.text}"
        return replace(self, file=file, text=text, has_end=True, pairs=self.rules.final)


def difference(wanted: Mapping[str, str], playing: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the changes from those that play, by name with their specs, to those that should.

    >>> difference({"a": "./2.py", "c": "c"}, {"a": "./1.py", "b": "b"})
    {'--replace': ['a=a=./2.py'], '--add': ['c'], '--withdraw': ['b']}
    """
    changes = {
        "--replace": [
            f"{name}={NamedSpec(name, spec)}"
            for name, spec in wanted.items()
            if name in playing and playing[name] != spec
        ],
        "--add": [str(NamedSpec(*each)) for each in wanted.items() if each[0] not in playing],
        "--withdraw": [name for name in playing if name not in wanted],
    }
    return {option: words for option, words in changes.items() if words}


def begin_command(setup: ContestSetup, wanted: Mapping[str, str], data: Sequence[str]) -> list[str]:
    """Return the command that begins the run. No seed is among its words, for it draws one."""
    file_names = {named.name for named in setup.file_players}
    arriving = [str(NamedSpec(*each)) for each in wanted.items() if each[0] not in file_names]
    until = () if setup.has_end else ("--until", UNTIL)
    pairs = () if setup.pairs is None else ("-n", str(setup.pairs))
    words = ["tournament", setup.file, *arriving, "--store", setup.store, "--again", *until, *pairs]
    return _command(setup, [*words, "--engine", "calls", *_playing(setup, data)], NICE_PLAY)


def resume_command(
    setup: ContestSetup, run: int, change: Mapping[str, Sequence[str]], data: Sequence[str]
) -> list[str]:
    """Return the command that goes on with the run, after a change of who plays."""
    words = ["resume", setup.store, str(run), "--changed-players", "replay"]
    for option, values in change.items():
        words += [f"{option}={value}" for value in values]
    return _command(setup, [*words, *_playing(setup, data)], NICE_PLAY)


def check_command(setup: ContestSetup, player: NamedSpec, data: str) -> list[str]:
    """Return the command that checks a hand-in. ``data`` is its folder, if it has data."""
    limits = setup.isolation.limits(player.name)
    patience = max(1, int(min(limits.move_time, setup.rules.check_seconds)) + 1)
    options = ["--positions", str(setup.rules.positions), "--patience", str(patience)]
    everybodys = Isolation(**setup.isolation.settings)
    readable = [f"--readable={data}"] if data else []
    words = ["check", str(player), "--game", setup.game, *options, "--format", "json"]
    return _command(setup, [*words, *flags(everybodys), *readable], NICE_CHECK)


def _playing(setup: ContestSetup, data: Sequence[str]) -> list[str]:
    """Return the options of all commands that play. ``data`` are ``NAME=FOLDER``."""
    workers = [] if setup.workers is None else ["-j", str(setup.workers)]
    readable = [f"--readable={word}" for word in data]
    executor = ["--executor", setup.executor] if setup.executor else []
    quiet = ["--format", "json", "--output", "/dev/null"]
    return [*workers, *executor, *flags(setup.isolation), *readable, *quiet]


def _command(setup: ContestSetup, words: Sequence[str], nice: int) -> list[str]:
    python = [sys.executable, "-m", "arena", *setup.plugins, *words]
    return [sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), str(nice), *python]


def flags(isolation: Isolation) -> list[str]:
    """Return an isolation as options of a command.

    >>> flags(Isolation(tier="locked", players={"bob": Isolation(memory=64)}))
    ['--isolation=locked', '--memory=bob=64']
    """
    options = _flags("", isolation.settings)
    for name, player_isolation in isolation.players.items():
        options += _flags(f"{name}=", player_isolation.settings)
    return options


def _flags(prefix: str, settings: Mapping[str, Any]) -> list[str]:
    options = []
    for name, value in settings.items():
        if name == "tier":
            options.append(f"--isolation={value}")
        elif name == "installed":
            options += ["--isolate"] * value
        else:
            values: Iterable[Any] = value if isinstance(value, tuple) else [value]
            options += [f"--{name.replace('_', '-')}={prefix}{each}" for each in values]
    return options
