"""The limits of players in processes of their own, and how they are isolated."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.dataclass import dataclass
from arena.errors import UnknownName, UsageError, did_you_mean, numeral, one_line, quoted
from arena.player.clocks import TimeControl, read_control
from arena.player.names import canonical
from arena.player_file.places import ModulePlace
from arena.sandbox.executable import executable
from arena.sandbox.hosts import read_hosts
from arena.sandbox.words import ELSEWHERE, WASM

if TYPE_CHECKING:
    from arena.player.clients import Client
    from arena.sandbox.tiers.box import Tier

#: Where a player finds room for files, in tiers that give it any.
SCRATCH = "/tmp"  # noqa: S108  (its own, wherever there are others)


#: Where Debian puts engines, which is not on every PATH.
GAMES = "/usr/games"

#: The most of a limit that is a number, and of one that is counted in other sizes.
MAX_LIMIT = 1_000_000
MAX_FUEL = 10**15

#: MiB of memory of a player if neither the user nor its client says how much.
DEFAULT_MEMORY = 512


class LimitKind(NamedTuple):
    """A limit that is a number: its bounds, and how the command line tells of it."""

    #: It has to be whole if the least is.
    least: float
    unit: str
    #: What it limits, in words after the unit, and what the help adds to its default.
    words: str
    but: str = ""
    most: int = MAX_LIMIT
    #: Its default in the help.
    help_default: float | None = None
    #: Whether a record leaves it out where it has its default.
    is_rare: bool = False


def _limit(default: float | None, *words: Any, **more: Any) -> Any:
    """Return the field of a limit."""
    limit = LimitKind(*words, **more)
    if limit.help_default is None:
        limit = limit._replace(help_default=default)
    return field(default=default, metadata={_LIMIT: limit})


#: Where the metadata of a field has its limit.
_LIMIT = "limit"


@dataclass(frozen=True)
class PlayerLimits:
    """How one player is isolated and what it may have, with nothing left open."""

    #: ``auto`` for the strongest tier that works here, a tier's name, or ``none``: then files are
    #: loaded where installed players play, and programs are not isolated, but limited: they get
    #: the tier ``process``.
    tier: str = "auto" if os.name == "posix" else "none"
    #: Whether it has a process of its own although it is installed.
    installed: bool = False
    #: Its time control, such as ``60+0.5``; empty without a clock.
    clock: str = ""
    #: This and the next are MAX_LIMIT for a player that has a clock, if they are not set.
    move_time: float = _limit(2.0, 0.001, "seconds", "for a move", ", or none with a clock")
    game_time: float = _limit(
        60.0, 0.001, "seconds", "for all moves of a game", ", or none with a clock"
    )
    import_time: float = _limit(10.0, 0.001, "seconds", "for loading")
    #: It is not told of it.
    time_margin: float = _limit(
        0.0, 0.0, "seconds", "that a move may take longer than that", is_rare=True
    )
    #: MiB; None for what its client asks for, or DEFAULT_MEMORY.
    memory: int | None = _limit(
        None,
        16,
        "MB",
        "of memory",
        ", or what an engine needs for its Hash and Threads",
        help_default=DEFAULT_MEMORY,
        is_rare=True,
    )
    processes: int = _limit(32, 1, "number", "of processes that a program may run at once")
    fuel: int = _limit(
        1_000_000_000,
        1000,
        "fuel",
        "of a WebAssembly module for a move",
        most=MAX_FUEL,
        is_rare=True,
    )
    game_fuel: int = _limit(
        30_000_000_000,
        1000,
        "fuel",
        "of a module for all moves of a game",
        most=MAX_FUEL,
        is_rare=True,
    )
    #: Files and folders that it may read besides its own.
    readable: tuple[str, ...] = ()
    #: Hosts besides this machine that arena may connect to for a player that is a server.
    allow_network: tuple[str, ...] = ()

    def as_pairs(self) -> tuple[tuple[str, Any], ...]:
        """Return every field with its value, as :meth:`Isolation.from_limits` takes them."""
        values = ((name, getattr(self, name)) for name in LIMITS)
        return tuple(
            (name, value)
            for name, value in values
            if name not in _RARE or value != getattr(PlayerLimits, name)
        )

    def unusual(self) -> dict[str, Any]:
        """Return the fields that are not as they are if nothing is set, but for a clock."""
        memory: dict[str, Any] = {"memory": DEFAULT_MEMORY}
        defaults = replace(PlayerLimits(), **(BY_CLOCK if self.clock else {}) | memory)
        return {name: value for name, value in self.as_pairs() if value != getattr(defaults, name)}

    @property
    def control(self) -> TimeControl | None:
        """Its time control, or None without a clock."""
        return read_control(self.clock) if self.clock else None

    @property
    def is_measured(self) -> bool:
        """Whether the user limits the time of its moves."""
        return bool(self.clock) or not self.unusual().keys().isdisjoint(BY_CLOCK)

    @property
    def tier_name(self) -> str:
        """The name of the tier, which is chosen if it is ``auto``."""
        return self.tier if self.tier in ("none", WASM) else self.process_tier.name

    @property
    def process_tier(self) -> Tier:
        """The tier of a process of its own.

        Raises UsageError if it is not available here, or cannot limit memory as it was asked to,
        and for the tier of modules, which have none.
        """
        if self.tier == WASM:
            raise UsageError(
                "isolation wasm is for WebAssembly modules (.wasm), and no others play"
            )
        from arena.sandbox.choice import choose_tier

        tier = choose_tier("process" if self.tier == "none" else self.tier)
        limits_memory = tier.stops is None or "take memory" in tier.stops
        if self.memory not in (None, DEFAULT_MEMORY) and not limits_memory:
            raise UsageError(
                "memory is limited on Linux only: leave the limit out (docs/stability.md says what"
                " works where)"
            )
        return tier


#: The limits of a player that has a clock, if they are not set.
BY_CLOCK: dict[str, Any] = {"move_time": float(MAX_LIMIT), "game_time": float(MAX_LIMIT)}

#: The names of all limits, those that are numbers, and those that few players have.
LIMITS = tuple(entry.name for entry in fields(PlayerLimits))
LIMIT_KINDS: dict[str, LimitKind] = {
    entry.name: entry.metadata[_LIMIT] for entry in fields(PlayerLimits) if entry.metadata
}
_RARE = {"clock", "allow_network", *(name for name, limit in LIMIT_KINDS.items() if limit.is_rare)}


@dataclass(frozen=True)
class Isolation:
    """The settings of how players are isolated. A field that is None is not set.

    The fields are those of :class:`PlayerLimits`, which has their usual values. Raises UsageError
    for a wrong limit, time control, tier or file.

    >>> base = Isolation(tier="none", move_time=0.5)
    >>> base.updated(Isolation(move_time=2)).resolved().unusual()
    {'tier': 'none'}
    """

    tier: str | None = None
    installed: bool | None = None
    clock: str | None = None
    move_time: float | None = None
    game_time: float | None = None
    import_time: float | None = None
    time_margin: float | None = None
    memory: int | None = None
    processes: int | None = None
    fuel: int | None = None
    game_fuel: int | None = None
    readable: Sequence[str] | None = None
    allow_network: Sequence[str] | None = None
    #: The settings of single players, by name.
    players: Mapping[str, Isolation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tier not in (None, "auto", "none"):
            from arena.sandbox.choice import TIER_ORDER  # the tiers take a while to import

            if self.tier not in TIER_ORDER:
                raise UnknownName("isolation", str(self.tier), ("auto", *TIER_ORDER))
        players = {canonical(name): isolation for name, isolation in self.players.items()}
        object.__setattr__(self, "players", players)
        for name, limit in LIMIT_KINDS.items():
            number, least = getattr(self, name), limit.least
            if number is None:
                continue
            if not (isinstance(number, int | type(least)) and least <= number <= limit.most):
                kind = "whole number" if isinstance(least, int) else "number"
                raise UsageError(
                    f"{name} must be a {kind} from {least:g} to {limit.most},"
                    f" not {_value_text(number)}"
                )
        if self.clock is not None:
            object.__setattr__(self, "clock", str(read_control(self.clock)))
        if self.readable is not None:
            files = [self.readable] if isinstance(self.readable, str) else self.readable
            try:
                files = tuple(os.path.abspath(file) for file in files)
            except TypeError:
                problem = f"readable must be names of files, not {_value_text(self.readable)}"
                raise UsageError(problem) from None
            object.__setattr__(self, "readable", files)
        if self.allow_network is not None:
            object.__setattr__(self, "allow_network", read_hosts(self.allow_network))

    @classmethod
    def from_limits(cls, limits: Mapping[str, Any]) -> Isolation:
        """Set what a record says of limits. Leave out unknown names, and the tier of a
        player that is a server or a WebAssembly module.
        """
        values = {name: limits[name] for name in LIMITS if name in limits}
        if values.get("tier") in (ELSEWHERE, WASM):
            del values["tier"]
        return cls(**values)

    @property
    def settings(self) -> dict[str, Any]:
        """The fields that are set for every player."""
        values = {name: getattr(self, name) for name in LIMITS}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def fuels(self) -> bool:
        """Whether it sets the fuel of WebAssembly modules."""
        return (self.fuel, self.game_fuel) != (None, None)

    @staticmethod
    def unusual_of(limits: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a record says of limits that are not usual, whatever the tier was.

        >>> Isolation.unusual_of({"tier": "process", "move_time": 0.5, "memory": 512})
        {'move_time': 0.5}
        """
        others = {name: value for name, value in limits.items() if name != "tier"}
        return Isolation.from_limits(others).resolved().unusual() if others else {}

    def updated(self, other: Isolation) -> Isolation:
        """Return the same with everything that the other one sets."""
        players = {
            name: self._alone(name).updated(other._alone(name))
            for name in (*self.players, *other.players)
        }
        return replace(self, **other.settings, players=players)

    def _alone(self, player: str) -> Isolation:
        """Return what is set for that player alone."""
        return self.players.get(canonical(player), Isolation())

    def of(self, player: str) -> Isolation:
        """Return what is set for the player of that name, which is what is set for it alone first.

        >>> Isolation(memory=64, players={"anna": Isolation(memory=128)}).of("anna").memory
        128
        """
        return replace(self, **self._alone(player).settings, players={})

    def resolved(self) -> PlayerLimits:
        """Return the limits of a player for which nothing else is set."""
        return PlayerLimits(**(BY_CLOCK if self.clock else {}) | self.settings)

    def limits(self, player: str) -> PlayerLimits:
        """Return the limits of the player of that name."""
        return self.of(player).resolved()


def _value_text(value: object) -> str:
    """Return a wrong value for a message."""
    return numeral(value) if isinstance(value, int) else one_line(repr(value))


@dataclass(frozen=True)
class Spec:
    """A player to be started: a program, a file with a Python player, or an installed one."""

    name: str
    #: The program and its arguments; empty for a Python player.
    argv: tuple[str, ...] = ()
    #: Makes the client that speaks with a process of the program; None for a Python player.
    client: Callable[[], Client] | None = None
    #: The file of a Python player, ``/home/me/bot.py:choose``; empty for another.
    file: str = ""
    #: An installed player, pickled as it is for workers; empty for another.
    installed: bytes = b""
    #: The files that the options of an installed player name, or modules next to the player's file.
    files: tuple[str, ...] = ()
    #: The modules outside of the installed Python that it needs, or the rules of its games do.
    modules: tuple[ModulePlace, ...] = ()
    #: Whether the shim looks at what a Python player does besides its moves, as in a check.
    is_checked: bool = False
    #: The seed of the hashes in its process.
    hash_seed: str = "0"
    #: The name that it plays under, if that is another; empty else.
    alias: str = ""

    @property
    def shown_name(self) -> str:
        """The name that games know it by."""
        return self.alias or self.name

    @property
    def is_python(self) -> bool:
        """Whether it runs in arena's shim."""
        return not self.argv

    @property
    def readable(self) -> tuple[Path, ...]:
        """The files that it may read, besides those of the system and of arena."""
        if self.argv:
            return tuple(Path(word) for word in self.argv if os.path.isabs(word))
        path = self.path
        return tuple(map(Path, (path, *self.files) if path else self.files))

    @property
    def path(self) -> str:
        """The file of a Python player without its function."""
        path, colon, function = self.file.rpartition(":")
        return path if colon and function.isidentifier() else self.file

    @property
    def folder(self) -> Path:
        """Where it starts: next to its file, so that it finds there what it may read."""
        return Path(os.path.dirname(self.path) or "/")


def program(name: str, client: Callable[[], Client]) -> Spec:
    """Return the program that a name such as ``cmd:./bot`` means. Raises UsageError without one.

    Arguments that are files are found from the current folder, wherever it runs then.
    """
    return Spec(name, read_command("player", name), client)


def read_command(kind: str, name: str, command: str = "") -> tuple[str, ...]:
    """Return the program and the arguments of a ``command``, with whole paths.

    By default it is what the name has after its colon.
    ``kind`` is what the name is of, for the message of the UsageError if there is no such program.

    >>> read_command("player", "cmd:sh -c exit")[1:]
    ('-c', 'exit')
    """
    command = command or name.partition(":")[2]
    before = name.removesuffix(command)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{kind} {quoted(name)}: {error}") from error
    if not words:
        raise UsageError(f"{kind} {quoted(name)} names no program, as in {before}.{os.sep}bot")
    executable = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    if executable is None:
        raise UsageError(f"{kind} {quoted(name)}: {_no_program(before, command, words[0])}")
    files = (os.path.abspath(w) if os.path.exists(w) else w for w in words[1:])
    return (os.path.abspath(executable), *files)


def _no_program(before: str, command: str, word: str) -> str:
    """Return why there is no program of that word, which a command after some text begins with."""
    if not os.path.isfile(word):
        return f"there is no such program {quoted(word)}{did_you_mean(word, _programs())}"
    if not os.access(word, os.X_OK):
        return f"{quoted(word)} is not executable, which chmod +x makes it"
    suggestion = f"{before}.{os.sep}{command.lstrip()}"
    return f"{quoted(word)} is not on the PATH, did you mean {quoted(suggestion)}?"


def _programs() -> Iterator[str]:
    """Yield the names of the programs that a command may begin with."""
    for folder in [*os.environ.get("PATH", "").split(os.pathsep), *GAMES.split(os.pathsep)]:
        with suppress(OSError):
            yield from os.listdir(folder)


def environment(spec: Spec) -> dict[str, str]:
    """Return what a player sees of the environment: nothing of the user's."""
    variables = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
    }
    if spec.is_python:
        variables |= {"PYTHONHASHSEED": spec.hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
        variables["PYTHONUNBUFFERED"] = "1"
    return variables


def command(spec: Spec, pipes: tuple[int, int]) -> list[str]:
    """Return the command that starts it. A Python player speaks on these descriptors."""
    if spec.argv:
        return list(spec.argv)
    shim = Path(__file__).with_name("shim.py")
    return [
        executable(),
        "-s",
        "-P",
        str(shim),
        spec.name,
        spec.file,
        *map(str, pipes),
    ]
