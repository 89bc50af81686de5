"""Find what all plugins offer by name: the catalogue."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from dataclasses import field, replace
from fnmatch import fnmatchcase
from functools import partial

from arena.dataclass import dataclass
from arena.errors import (
    CannotLoad,
    PlayerFault,
    PlayerFileError,
    UnknownName,
    UsageError,
    quoted,
)
from arena.game import Game
from arena.games.contract import tried
from arena.player import PlayerInfo
from arena.player.clients import PlayerProtocol
from arena.player.names import NamedSpec, as_program, names_a_file, read_named, split_protocol
from arena.player_file import absolute, load_file_player, require_file
from arena.plugin.observers import Observers
from arena.plugin.registry import (
    ExecutorOffer,
    GameFamily,
    Offer,
    Registry,
    RejectedPlugin,
    ReportText,
)
from arena.sandbox.settings import Isolation, PlayerLimits
from arena.schedules.named import NamedSchedule, ScheduleKind


@dataclass(frozen=True)
class PluginInfo:
    """A plugin that was loaded."""

    name: str
    package: str
    version: str
    file: str
    hooks: tuple[str, ...]
    #: Its things by name, such as ``player minimax``, and the hooks by which it hears of runs.
    offers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """Everything that the installed plugins offer."""

    #: The plugins that were left out, and names that two plugins offer.
    broken: list[RejectedPlugin] = field(default_factory=list)
    families: Registry[GameFamily] = field(default_factory=lambda: Registry("game"))
    players: Registry[PlayerInfo] = field(default_factory=lambda: Registry("player"))
    protocols: Registry[PlayerProtocol] = field(default_factory=lambda: Registry("protocol"))
    schedules: Registry[ScheduleKind] = field(default_factory=lambda: Registry("schedule"))
    executors: Registry[ExecutorOffer] = field(default_factory=lambda: Registry("executor"))
    reports: Registry[ReportText] = field(default_factory=lambda: Registry("format"))
    #: How the players that it hands out are isolated; :meth:`isolated` sets it, in a copy.
    isolation: Isolation = field(default_factory=Isolation)
    #: True if files are programs too, which a referee starts by their interpreters.
    starts_files: bool = False
    #: The plugins that runs tell what they play.
    observers: Observers = field(default_factory=Observers)
    plugins: list[PluginInfo] = field(default_factory=list)

    @property
    def files(self) -> tuple[str, ...]:
        """The plugins in files that games need to be played again, as ``arena -p`` names them."""
        brings = {f"arena_register_{noun}" for noun in ("games", "players", "protocols")}
        files = (plugin for plugin in self.plugins if names_a_file(plugin.name))
        return tuple(sorted(p.name for p in files if not brings.isdisjoint(p.hooks)))

    def isolated(self, isolation: Isolation) -> Catalogue:
        """Return the same catalogue, of which every player is isolated as that says."""
        return replace(self, isolation=isolation)

    def for_game(self, game: Game) -> Catalogue:
        """Return the catalogue whose players are ready for this game."""
        return replace(self, starts_files=game.is_refereed)

    def game(self, name: str) -> Game:
        """Return the game of that name or file: ``tictactoe-4``, ``lines:corners.txt``.

        Raises UnknownName with the nearest template if there is none, and GameFault if it does not
        work.
        """
        return tried(self.untried_game(name))

    def untried_game(self, name: str) -> Game:
        """Return the game of that name without a check that it works."""
        game = self.family(name).item.game(name)
        assert game is not None
        return game

    def family(self, name: str) -> Offer[GameFamily]:
        """Return the family of the game of that name, with the plugin that brings it."""
        offers = [offer for offer in self.families.offers() if offer.item.match(name) is not None]
        if offers:
            return self.families.choose(name, offers)
        if name.endswith(".py"):
            file = quoted(name.partition(":")[0])
            raise UsageError(
                f"game {quoted(name)}: a file registers its games as a plugin, -p {file}, and"
                " --game takes the name that it registers"
            )
        if name not in dict(self.families) and (kind := self._kind_named(name)):
            raise UsageError(f"game {quoted(name)}: {kind}")
        family = self.families.get(name)  # raises, unless the name is a template
        raise UsageError(f"game {family.template!r} needs values for {', '.join(family.blanks)}")

    def _kind_named(self, name: str) -> str:
        """Return what to say of a name that is a kind of game, or a pattern of names.

        It is empty for another name. Messages have both where they say what a player plays.
        """
        named_games = [family.game(name) for name, family in self.families if not family.blanks]
        games = [game for game in named_games if game is not None]
        if having := [game.name for game in games if name in game.kinds]:
            verb = "has" if len(having) == 1 else "have"
            return f"it is a kind of game, which {', '.join(having)} {verb}: name a game"
        offers = [(name, info.games) for name, info in self.players]
        offers += [(f"{name}:", protocol.games) for name, protocol in self.protocols]
        patterns = {pattern for _, each in offers for pattern in each if self._is_of_kinds(pattern)}
        pattern = next((p for p in sorted(patterns) if name == p or fnmatchcase(name, p)), "")
        if not pattern:
            return ""
        players = ", ".join(player for player, each in offers if pattern in each)
        fits = partial(fnmatchcase, pat=pattern)
        fitting = ", ".join(game.name for game in games if any(map(fits, game.kinds)))
        which = f", and so does the kind of {fitting}" if fitting else ""
        start = f"it is no game: it fits {pattern}, a pattern of games that {players} can play"
        return f"{start}{which} (see: arena games)"

    def _is_of_kinds(self, pattern: str) -> bool:
        """Return whether a pattern fits no family's names. One of these is the likelier mistake."""
        start, star, _ = pattern.partition("*")
        return bool(start and star) and not any(name.startswith(start) for name, _ in self.families)

    def player(self, text: str) -> PlayerInfo:
        """Return the player that the user names.

        Texts are such as ``monkey``, ``minimax:depth=3``, ``./bot.py``, ``./bot.py:choose``,
        ``cmd:racket bot.rkt``, and ``alice=./bot.py`` for any of them under another name.
        """
        return self.named_player(self.read_named(text))

    def read_named(self, text: str) -> NamedSpec:
        """Read how the user names a player. Raises UsageError for the name of an installed one."""
        named = read_named(text)
        if named.name != named.spec and any(named.name == name for name, _ in self.players):
            problem = f"{named.name!r} is the name of an installed player"
            raise UsageError(f"player {quoted(text)}: {problem}")
        return named

    def named_player(self, named: NamedSpec, file: str = "") -> PlayerInfo:
        """Return the player of a spec under its name, as ids and stores have them.

        ``file`` is the place of its file if it is not the spec's.
        """
        name, spec = named
        if not (name + spec).isprintable():  # it is shown wherever the player is
            raise UsageError(f"player {quoted(str(named))}: not all of the name can be printed")
        limits = self.isolation.limits(name)
        if self.starts_files and names_a_file(spec):
            return self._started_file(named, limits, file or absolute(spec))
        try:
            info = self._load(spec, limits, file)
        except (PlayerFileError, CannotLoad) as error:  # which know the spec alone
            if name == spec:
                raise
            raise type(error)(str(named), error.problem) from error
        if name == spec:
            return info
        from arena.sandbox.players import renamed

        return renamed(info, name, spec)

    def _load(self, spec: str, limits: PlayerLimits, file: str) -> PlayerInfo:
        protocol = self.protocol_of(spec)
        if protocol is not None:
            from arena.sandbox.players import protocol_player, started_agent

            if self.starts_files and protocol.command is not None:
                return started_agent(spec, protocol, self.protocols.get("cmd"), limits)
            return protocol_player(spec, protocol, limits, tuple(map(absolute, self.files)))
        if not names_a_file(spec):
            info = self._configured(spec)
            if not limits.installed:
                return info
            from arena.sandbox.players import isolated

            return isolated(info, limits)
        if spec.endswith(".wasm"):
            from arena.sandbox.wasm.player import wasm_player

            return wasm_player(spec, limits, file)
        if limits.tier == "none":
            return load_unisolated(spec, file)
        from arena.sandbox.players import file_player

        return file_player(spec, limits, file)

    def _started_file(self, named: NamedSpec, limits: PlayerLimits, file: str) -> PlayerInfo:
        """Return the player in a file that is started by its ending's interpreter."""
        from arena.sandbox.players import program_player, renamed

        name, spec = named
        path = require_file(spec, file)
        if os.fspath(path) != file:
            raise UsageError(
                f"player {quoted(spec)}: a referee starts the whole file, not a function"
            )
        if spec.endswith(".wasm"):
            problem = "a referee starts programs, and a WebAssembly module is none"
            raise UsageError(f"player {quoted(spec)}: {problem}")
        info = program_player(as_program(file), limits, self.protocols.get("cmd"))
        return replace(renamed(info, name, "" if name == spec else spec), file=file)

    def schedule(self, text: str) -> NamedSchedule:
        """Return the schedule of a text such as ``swiss:5``.

        Raises UnknownName for a word that no plugin offers, UsageError for a text that its plugin
        refuses, and PluginError if the plugin fails.
        """
        return self.schedules.get(text.partition(":")[0]).read(text)

    def protocol_of(self, spec: str) -> PlayerProtocol | None:
        """Return the protocol of ``uci:stockfish``, ``uci,Hash=16:stockfish``, or None without
        one.
        """
        named = split_protocol(spec)
        if named is None or all(name != named.protocol for name, _ in self.protocols):
            return None
        return self.protocols.get(named.protocol)

    def is_isolated(self, spec: str) -> bool:
        """Return whether the player of a spec plays in a process of its own, if files do."""
        return names_a_file(spec) or self.protocol_of(spec) is not None

    def _configured(self, spec: str) -> PlayerInfo:
        """Return the installed player of a spec such as ``minimax:depth=3``.

        ``boxes:monkey`` is the player ``monkey`` of the distribution ``boxes``.
        """
        name, colon, options = spec.partition(":")
        package_name, package_colon, package_options = options.partition(":")
        info = self.players.of_package(name, package_name)
        if info is not None:
            info = replace(info, name=f"{name}:{package_name}")
            colon, options = package_colon, package_options
        elif colon and (names := self.players.names_of_package(name)) and name not in names:
            raise UnknownName(f"player of {name}", package_name, names)
        else:
            info = self._installed(name, colon + options)
        return info.configured(options) if colon else info

    def _installed(self, name: str, rest: str) -> PlayerInfo:
        """Return the installed player. Raises UnknownName, with a file here that has the name."""
        try:
            return self.players.get(name)
        except UnknownName as error:
            protocols = dict(self.protocols)
            if (protocol := protocols.get(name.partition(",")[0])) is not None:
                raise UsageError(
                    f"player {quoted(name)}: write {protocol.form} for {protocol.summary}"
                ) from None
            module = name if name.endswith(".wasm") else f"{name}.wasm"
            files = (file for file in (f"{name}.py", module) if os.path.isfile(file))
            file = next(files, "") or _file_like(name)
            if not file:
                raise
            meant = f"./{file}{rest}"
            raise UnknownName(error.kind, name, error.names, meant, error.left_out) from None

    def players_of(self, game: Game) -> list[PlayerInfo]:
        """Return every installed player of the game, without those that want to be named."""
        names = (name for name, info in self.players if info.plays(game) and not info.only_named)
        return [self.player(name) for name in names]


def _file_like(name: str) -> str:
    """Return the likest file of a player here for a name such as ``bot.pyy``, or nothing."""
    stem, dot, _ = name.rpartition(".")
    files = [file for file in os.listdir() if file.endswith(".py") and file[:-3] == stem]
    return files[0] if dot and files else ""


def load_unisolated(name: str, file: str) -> PlayerInfo:
    """Load a player's file in this process, after another one has survived that.

    Raises PlayerFileError if the file cannot be used, and PlayerFault if it ends the process.
    """
    from arena.executors.isolated_process import run_isolated

    try:
        run_isolated(partial(_try, name, file))
    except PlayerFault as error:
        raise CannotLoad(name, str(error)) from error
    with redirect_stdout(sys.stderr):
        return load_file_player(name, file)


def _try(name: str, file: str) -> None:
    load_file_player(name, file)
