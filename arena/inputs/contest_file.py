"""Read a contest from a file: its entrants, and every option of ``arena tournament``."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Container, Mapping
from dataclasses import field
from typing import Any, NoReturn, cast

from arena.clock import in_utc
from arena.dataclass import dataclass
from arena.errors import UnknownName, UsageError, did_you_mean, numeral, quoted
from arena.fights.pairing import ContestFile
from arena.files import naming
from arena.games.lines import FILE_PREFIX as LINES
from arena.inputs.forms import Form, Written
from arena.inputs.hand_in_rules import HandInRules
from arena.inputs.options import (
    MAX_WORKERS,
    PARAMETER_OPTIONS,
    SHEETS,
    TournamentOptions,
)
from arena.inputs.toml import KeyPath, line_of, read_toml
from arena.kinds import SWITCH, TEXTS, Kind, Number, OfType, OneOf, Whole, check_value
from arena.player.names import NamedSpec, names_a_file, read_named, split_protocol, written_option
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.sandbox.settings import LIMIT_KINDS, Isolation, LimitKind
from arena.signatures import declared
from arena.urls import is_url, without_passwords

#: The end of the name of a file with a contest.
CONTEST_ENDING = ".toml"

#: Most characters of a contest's title and of its rules.
MAX_TITLE_LENGTH, MAX_RULES_LENGTH = 100, 10_000


@dataclass(frozen=True)
class Contest:
    """The contents of a contest's file. Keys that it does not have are left out."""

    file: ContestFile
    #: As :func:`arena.tournament` takes them: ``alice=./subs/alice.py``.
    players: tuple[str, ...] = ()
    n: int | None = None
    gauntlet: str | None = None
    schedule: str | None = None
    #: The other keywords of :func:`arena.tournament`.
    options: TournamentOptions = field(default_factory=TournamentOptions)
    isolation: Isolation = field(default_factory=Isolation)
    #: The weakest tier with which the contest may be played; empty for any.
    require_isolation: str = ""
    #: The file and the format of the result; empty where the file does not have them.
    output: str = ""
    format: str = ""
    #: The one table that the command shows; empty for all.
    table: str = ""
    #: The name of the contest for humans, and its rules; empty where the file does not have them.
    title: str = ""
    rules: str = ""
    #: The limits of what entrants hand in while a server conducts the contest.
    hand_ins: HandInRules = field(default_factory=HandInRules)

    def isolated(self, more: Isolation) -> Isolation:
        """Return the isolation with ``more`` settings, which take precedence.

        Raises NotIsolated if it is weaker than the contest requires.
        """
        isolation = self.isolation.updated(more)
        if self.require_isolation:
            from arena.sandbox.choice import require  # the tiers take a while to import

            limits = isolation.resolved()
            require(limits.tier_name, self.require_isolation)
        return isolation


def read_contest(file: str | os.PathLike[str], catalogue: Catalogue | None = None) -> Contest:
    """Read a contest. Paths in it are relative to its folder.

    The ``catalogue`` has the schedules, by default those that are installed.

    Raises UsageError, which names the line, for an unknown key and for a value that the key cannot
    have. It suggests the nearest known key.
    """
    name = os.fspath(file)
    with naming("contest", name):
        record, text = read_toml(name)
        return _ContestReader(name, text, catalogue).contest(record)


class Moment(Kind):
    """Dates with a time and its zone, as ISO 8601 text in UTC."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return "a date with a time and its zone, as in 2026-12-01T18:00:00+01:00"

    def check(self, value: Any) -> str:
        """Return the text."""
        try:
            return in_utc(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(self.words) from None


@dataclass(frozen=True)
class Prose(Kind):
    """Texts for humans, of at most this many characters, on one line or on several."""

    most: int
    has_lines: bool = False

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        place = "" if self.has_lines else " on one line"
        return f"a text in quotes{place}, of at most {self.most} characters"

    def check(self, value: Any) -> str:
        """Return the text without blanks around it."""
        if type(value) is not str or len(value) > self.most:
            raise ValueError(self.words)
        text = value.expandtabs(4).strip()
        if not ("".join(text.splitlines()) if self.has_lines else text).isprintable():
            raise ValueError(f"{self.words}, without control characters")
        return text


def _clock() -> Form:
    from arena.player.clocks import FORM, read_control  # few contests have a clock

    return FORM, read_control


def _limit(limit: LimitKind) -> Kind:
    """Return the kind of a limit of players, which is a whole number if the least one is."""
    least, most = limit.least, limit.most
    return Whole(least, most) if isinstance(least, int) else Number(least, most)


#: Kinds of values that only a file has.
TABLES = OfType((dict,), "a table")
QUOTED = OfType((str,), "a text in quotes")

#: The keys of a contest that are keywords of :func:`arena.tournament`, with the name of that.
OPTION_KEYS: dict[str, tuple[str, Kind]] = {
    option.contest_key: (name, option.kind or QUOTED)
    for name, option in (PARAMETER_OPTIONS | declared(TournamentOptions)).items()
    if option.contest_key
}

#: The other keys of a contest.
OTHER_KEYS: dict[str, Kind] = {
    "entrants": TABLES,
    "format": QUOTED,
    "hand-ins": TABLES,
    "isolate": SWITCH,
    "isolation": QUOTED,
    "limits": TABLES,
    "output": QUOTED,
    "players": TEXTS,
    "require-isolation": QUOTED,
    "rules": Prose(MAX_RULES_LENGTH, has_lines=True),
    "send-code": SWITCH,
    "table": OneOf(SHEETS),
    "title": Prose(MAX_TITLE_LENGTH),
}

#: The limits of all entrants, or of one.
LIMIT_KEYS: dict[str, Kind] = {
    **{name.replace("_", "-"): _limit(limit) for name, limit in LIMIT_KINDS.items()},
    "clock": Written(_clock),
    "readable": TEXTS,
    "allow-network": TEXTS,
}

#: The limits of what entrants hand in while a server conducts the contest.
HAND_IN_KEYS: dict[str, Kind] = {
    "a-day": Whole(1, 10**6),
    "check-seconds": Whole(1, 86_400),
    "checks": Whole(1, MAX_WORKERS),
    "closes": Moment(),
    "files": Whole(1, 10_000),
    "final": Whole(1, 10**6),
    "games": OneOf(("own", "all")),
    "positions": Whole(1, 10**6),
    "public": SWITCH,
    "seconds-a-day": Whole(1, 10**9),
    "size": Whole(1, 1 << 28),
    "unpacked": Whole(1, 1 << 30),
}

ENTRANT_KEYS: dict[str, Kind] = {
    "limits": TABLES,
    "options": TABLES,
    "player": QUOTED,
}


class _ContestReader:
    """Reads one file. Errors name its lines, and paths in it are relative to its folder."""

    def __init__(self, name: str, text: str, catalogue: Catalogue | None) -> None:
        self._name, self._text, self._catalogue = name, text, catalogue
        self._folder = os.path.dirname(name)

    def contest(self, record: dict[str, Any]) -> Contest:
        """Return the contest of the file."""
        keys = {key: kind for key, (_, kind) in OPTION_KEYS.items()} | OTHER_KEYS
        values = self._read(record, keys, ())
        options = {
            name: self._resolved(key, values[key])
            for key, (name, _) in OPTION_KEYS.items()
            if key in values
        }
        tables = values.get("entrants", {})
        entrants = {name: self._entrant(name, table) for name, table in tables.items()}
        isolation = self._isolation(values.get("limits", {}), ("limits",), self._tier(values))
        limited = {name: limits for name, (_, limits) in entrants.items() if limits != Isolation()}
        players = [self._spec(player, ("players",)) for player in values.get("players", ())]
        players += [str(named) for named, _ in entrants.values()]
        if "gauntlet" in options:
            options["gauntlet"] = self._challenger(options["gauntlet"], "gauntlet", entrants)
        if "schedule" in options:
            options["schedule"] = self._schedule(options["schedule"], entrants)
        return Contest(
            file=ContestFile(os.path.basename(self._name), self._text),
            players=tuple(players),
            n=options.pop("n", None),
            gauntlet=options.pop("gauntlet", None),
            schedule=options.pop("schedule", None),
            options=cast("TournamentOptions", options),
            isolation=isolation.updated(Isolation(players=limited)),
            require_isolation=values.get("require-isolation", ""),
            output=self._path(values["output"]) if "output" in values else "",
            format=values.get("format", ""),
            table=values.get("table", ""),
            title=values.get("title", ""),
            rules=values.get("rules", ""),
            hand_ins=self._hand_ins(values.get("hand-ins", {})),
        )

    def _hand_ins(self, table: dict[str, Any]) -> HandInRules:
        values = self._read(table, HAND_IN_KEYS, ("hand-ins",))
        return HandInRules(**{key.replace("-", "_"): value for key, value in values.items()})

    def _fail(self, path: KeyPath, problem: str) -> NoReturn:
        line = line_of(self._text, path)
        where = f"line {line}: " if line else ""
        raise UsageError(f"{where}{problem}")

    def _read(
        self, table: dict[str, Any], keys: Mapping[str, Kind], path: KeyPath
    ) -> dict[str, Any]:
        """Return the values of a table, each as its kind reads it."""
        values = {}
        for key, value in table.items():
            if key not in keys:
                hint = f"{did_you_mean(key, keys)} (known: {', '.join(sorted(keys))})"
                self._fail((*path, key), f"unknown key {quoted(key)}{hint}")
            try:
                values[key] = check_value(key, keys[key], value)
            except UsageError as error:
                self._fail((*path, key), str(error))
            if values[key] == "":
                self._fail((*path, key), f"{key} is empty")
        return values

    def _tier(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of isolation that are not limits."""
        settings: dict[str, Any] = {}
        if "isolation" in values or "require-isolation" in values:
            settings["tier"] = values.get("isolation", "auto")
        if "isolate" in values:
            settings["installed"] = values["isolate"]
        return settings

    def _isolation(self, table: dict[str, Any], path: KeyPath, more: dict[str, Any]) -> Isolation:
        values = self._read(table, LIMIT_KEYS, path)
        limits = {key.replace("-", "_"): value for key, value in values.items()}
        for name in LIMIT_KINDS.keys() & limits:
            limits[name] = type(LIMIT_KINDS[name].least)(limits[name])
        for file in limits.get("readable", ()):
            if not os.path.exists(self._path(file)):
                self._fail((*path, "readable"), f"there is no file or folder {quoted(file)}")
        if "readable" in limits:
            limits["readable"] = tuple(map(self._path, limits["readable"]))
        try:
            return Isolation(**limits, **more)
        except UnknownName as error:
            self._fail(("isolation",), str(error))

    def _entrant(self, name: str, table: Any) -> tuple[NamedSpec, Isolation]:
        """Return an entrant with its name, and its isolation."""
        path = ("entrants", name)
        try:
            check_value(f"entrant {quoted(name)}", TABLES, table)
        except UsageError as error:
            self._fail(path, f"{error}, as in [entrants.{name}]")
        values = self._read(table, ENTRANT_KEYS, path)
        if "player" not in values:
            self._fail(path, f'entrant {quoted(name)} has no player, as in player = "./bot.py"')
        spec = self._spec(values["player"], (*path, "player"))
        try:
            named = read_named(f"{name}={spec}")
            if named.name != name:
                raise UsageError(f"{quoted(name)} cannot be a player's name: it has ':' or ','")
            spec = _with_options(spec, values.get("options", {}))
        except UsageError as error:
            self._fail((*path, "options") if "options" in values else path, str(error))
        limits = self._isolation(values.get("limits", {}), (*path, "limits"), {})
        return NamedSpec(name, spec), limits

    def _schedule(self, text: str, entrants: Container[str]) -> str:
        """Return a schedule. The player in it is named from the current folder."""
        try:
            catalogue = self._catalogue or load_catalogue()
            catalogue.schedule(text)
        except UsageError as error:
            self._fail(("schedule",), str(error))
        word, _, argument = text.partition(":")
        if catalogue.schedules.get(word).argument != "PLAYER":
            return text
        word = text.removesuffix(argument)
        return word + self._challenger(argument, "schedule", entrants)

    def _challenger(self, player: str, key: str, entrants: Container[str]) -> str:
        return player if player in entrants else self._spec(player, (key,))

    def _resolved(self, key: str, value: Any) -> Any:
        """Return a value. A path in it leads from the current folder, not from the file's."""
        if key == "certificate":
            return [self._path(file) for file in value]
        if key == "store" and is_url(value):
            if without_passwords(value) != value:
                hint = "leave the password to PGPASSWORD or ~/.pgpass: the file is kept and shown"
                self._fail((key,), hint)
            return value
        if key == "store" or (key == "openings" and not value.startswith(("random:", "all:"))):
            return self._path(value)
        if key == "game" and value.startswith(LINES):
            return LINES + self._path(value.removeprefix(LINES))
        return value

    def _path(self, file: str) -> str:
        return os.path.normpath(os.path.join(self._folder, file))

    def _spec(self, text: str, path: KeyPath) -> str:
        """Return the name of a player as seen from the current folder."""
        try:
            name, spec = read_named(text)
        except UsageError as error:
            self._fail(path, str(error))
        if not self._folder:
            return str(NamedSpec(name, spec))
        resolved = spec
        if (named := split_protocol(spec)) is not None:
            words = _words(named.text)
            resolved_words = [self._word(word) for word in words]
            if resolved_words != words:
                resolved = spec.removesuffix(named.text) + shlex.join(resolved_words)
        elif names_a_file(spec) or os.path.isdir(self._path(spec)):
            resolved = self._path(spec)
        return resolved if name == spec else str(NamedSpec(name, resolved))

    def _word(self, word: str) -> str:
        """Return a word of a command. The name of a file gets the contest's folder."""
        return self._path(word) if os.path.isfile(self._path(word)) else word


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # arena refuses it when it makes the player
        return [command]


#: How the options of an installed player begin.
_OPTIONS = re.compile(r"[A-Za-z_]\w*=")


def _with_options(spec: str, options: Mapping[str, Any]) -> str:
    """Return the spec of a player with these options. Raises UsageError if they cannot be written.

    >>> _with_options("minimax", {"depth": 3}), _with_options("uci:fish", {"Hash": 16})
    ('minimax:depth=3', 'uci,Hash=16:fish')
    """
    if not options:
        return spec
    if names_a_file(spec):
        raise UsageError(f"player {quoted(spec)} takes no options")
    written = ",".join(f"{_name(key)}={_value(key, value)}" for key, value in options.items())
    before, colon, rest = spec.partition(":")
    if not colon:
        return f"{spec}:{written}"
    return f"{spec},{written}" if _OPTIONS.match(rest) else f"{before},{written}:{rest}"


def _name(option: str) -> str:
    if not option or set("=,:%") & {*option}:
        raise UsageError(f"an option's name is a text without = , : %, not {quoted(option)}")
    return option


def _value(option: str, value: Any) -> str:
    if type(value) is bool:
        return str(value).lower()
    text = numeral(value) if type(value) is int else str(value) if type(value) is float else value
    if type(text) is not str:
        raise UsageError(f"option {option} must be a number, true, false or a text")
    return written_option(text)
