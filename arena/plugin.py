"""Plugins: loading them one by one, leaving out those that fail, and what they all offer."""

from __future__ import annotations

import inspect
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Any

import pluggy

from arena import hookspecs
from arena.breaches import tried
from arena.commands import Command, Commands
from arena.errors import AmbiguousName, PlayerFault, UsageError, describe, did_you_mean, quoted
from arena.executors.base import MakeExecutor
from arena.files import load_file_player, names_a_file
from arena.game import Game
from arena.games.lines import load_lines, names_lines
from arena.markers import PROJECT
from arena.player import PlayerInfo
from arena.registry import (
    ExecutorRegister,
    GameFamily,
    GameRegister,
    PlayerRegister,
    Register,
    Registry,
    Report,
    ReportRegister,
)
from arena.sandbox.settings import PROGRAM, Isolation

#: Names of plugins, with commas between them, that are not to be loaded.
DISABLE = "ARENA_DISABLE_PLUGINS"


@dataclass(frozen=True)
class PluginInfo:
    """A plugin that was loaded."""

    name: str
    package: str
    version: str
    file: str
    hooks: tuple[str, ...]


@dataclass(frozen=True)
class BrokenPlugin:
    """A plugin that was left out, or a hook of it that arena does not have."""

    plugin: str
    package: str
    error: str

    def __str__(self) -> str:
        name = f"plugin {self.plugin}: " if self.plugin else ""
        return f"{name}{self.error} (see: arena plugins)"


class PluginManager(pluggy.PluginManager):
    """Pluggy's manager with arena's hooks, and a memory for where plugins come from."""

    def __init__(self) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(hookspecs)
        self.sources: dict[str, tuple[str, str]] = {}
        self.broken: list[BrokenPlugin] = []

    def load(self, entry: EntryPoint, name: str) -> None:
        """Load one entry point; a failure is noted in ``broken``."""
        self.sources[name] = _source(entry)
        try:
            self.register(entry.load(), name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.leave_out(name, error)

    def leave_out(self, name: str, error: BaseException) -> None:
        """Unregister a plugin that failed."""
        if self.has_plugin(name):  # pluggy before 1.7 keeps what it could not verify
            self.unregister(name=name)
        package, _ = self.sources.pop(name, ("", ""))
        self.broken.append(BrokenPlugin(name, package, describe(error)))

    def call_one(self, plugin: object, hook: str, argument: object) -> None:
        """Call a hook with one argument, of one plugin only."""
        caller: pluggy.HookCaller = getattr(self.hook, hook)
        for found in caller.get_hookimpls():
            if found.plugin is plugin:
                found.function(*([argument] if found.argnames else []))

    def unknown_hooks(self) -> Iterator[BrokenPlugin]:
        """A complaint for every hook implementation that no hook of arena's matches."""
        known = [name for name in vars(hookspecs) if name.startswith(f"{PROJECT}_")]
        for name, caller in vars(self.hook).items():
            if isinstance(caller, pluggy.HookCaller) and not caller.has_spec():
                for implementation in caller.get_hookimpls():
                    package, _ = self.sources.get(implementation.plugin_name, ("", ""))
                    error = f"unknown hook {name!r}{did_you_mean(name, known)}"
                    yield BrokenPlugin(implementation.plugin_name, package, error)


def create_plugin_manager() -> PluginManager:
    """A manager with every installed plugin that loads and is not disabled."""
    manager = PluginManager()
    disabled = {name.strip() for name in os.environ.get(DISABLE, "").split(",")}
    entries = entry_points(group=PROJECT)
    disabled_here: set[str] = set()
    uses = Counter(entry.name for entry in entries)
    for entry in sorted(entries, key=lambda entry: (_source(entry), entry.name)):
        name = entry.name if uses[entry.name] == 1 else f"{_source(entry)[0]}:{entry.name}"
        if disabled & {name, entry.name}:
            disabled_here.update({name, entry.name})
        else:
            manager.load(entry, name)
    for name in sorted(disabled - disabled_here - {""}):
        hint = did_you_mean(name, uses)
        manager.broken.append(BrokenPlugin("", "", f"{DISABLE} names no plugin {name!r}{hint}"))
    return manager


def _source(entry: EntryPoint) -> tuple[str, str]:
    """The name and version of the distribution that an entry point belongs to."""
    return _name_and_version(entry.dist) if entry.dist else ("", "")


@cache
def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    # Read once for both; neither is there where an uninstallation was cut short.
    metadata = distribution.metadata
    has = metadata.__contains__
    return metadata["Name"] if has("Name") else "", metadata["Version"] if has("Version") else ""


@dataclass
class Catalogue:
    """Everything that the installed plugins offer."""

    families: Registry[GameFamily] = field(default_factory=lambda: Registry("game"))
    players: Registry[PlayerInfo] = field(default_factory=lambda: Registry("player"))
    executors: Registry[MakeExecutor] = field(default_factory=lambda: Registry("executor"))
    reports: Registry[Report] = field(default_factory=lambda: Registry("format"))
    commands: Registry[Command] = field(default_factory=lambda: Registry("command"))
    #: How players that are files and programs are kept apart, and how much of what they get.
    isolation: Isolation = field(default_factory=Isolation)
    #: The same for single players, by name.
    isolations: dict[str, Isolation] = field(default_factory=dict)
    plugins: list[PluginInfo] = field(default_factory=list)
    broken: list[BrokenPlugin] = field(default_factory=list)

    def game(self, name: str) -> Game:
        """The game of that name, or that a file has: ``tictactoe-4``, ``lines:corners.txt``.

        UnknownName with the nearest template if there is none, GameFault if it does not work.
        """
        return tried(self.untried_game(name))

    def untried_game(self, name: str) -> Game:
        """The same, whether it works or not."""
        if names_lines(name):
            return load_lines(name)
        offers = [offer for offer in self.families.offers() if offer[0].match(name)]
        if len(offers) > 1:
            raise AmbiguousName("game", name, [source for _, source in offers])
        for family, _ in offers:
            game = family.game(name)
            assert game is not None
            return game
        found = self.families.get(name)  # raises, unless the name is a template
        raise UsageError(f"game {found.template!r} needs numbers for its capital letters")

    def player(self, name: str, file: str = "") -> PlayerInfo:
        """The player of that name, file or program: ``monkey``, ``minimax:depth=3``, ``./bot.py``,
        ``./bot.py:choose``, ``cmd:racket bot.rkt``.

        ``file`` says where the file is if that is not what the name says.
        """
        if not name.isprintable():  # it is shown wherever the player is
            raise UsageError(f"player {quoted(name)}: not all of the name can be printed")
        isolation = self.isolations.get(name, self.isolation)
        if name.startswith(PROGRAM):
            from arena.sandbox.players import program_player

            return program_player(name, isolation)
        if not names_a_file(name):
            plain, colon, options = name.partition(":")
            info = self.players.get(plain)
            if colon:
                info = info.configured(options)
            if not isolation.everybody:
                return info
            from arena.sandbox.players import isolated

            return isolated(info, isolation)
        if isolation.tier == "none":
            return self._loaded_here(name, file)
        from arena.sandbox.players import file_player

        return file_player(name, isolation, file)

    def everybody(self, game: Game) -> list[PlayerInfo]:
        """Every installed player that plays the game."""
        return [self.player(name) for name, info in self.players if info.plays(game)]

    def _loaded_here(self, name: str, file: str) -> PlayerInfo:
        from arena.executors.apart import run_apart

        try:
            run_apart(partial(_try, name, file))  # a file that ends its process ends that one
        except PlayerFault as error:
            raise PlayerFault(f"player {quoted(name)} cannot be loaded: {error}") from error
        with redirect_stdout(sys.stderr):
            return load_file_player(name, file)


#: The hooks that fill a catalogue: what a plugin is given, and the field that it adds to.
_REGISTERS: tuple[tuple[str, type[Register[Any]], str], ...] = (
    ("arena_register_games", GameRegister, "families"),
    ("arena_register_players", PlayerRegister, "players"),
    ("arena_register_executors", ExecutorRegister, "executors"),
    ("arena_register_reports", ReportRegister, "reports"),
    ("arena_add_command", Commands, "commands"),
)


def _try(name: str, file: str) -> None:
    load_file_player(name, file)


def load_catalogue(manager: PluginManager | None = None) -> Catalogue:
    """What the manager's plugins offer; those of :func:`create_plugin_manager` by default."""
    manager = manager or create_plugin_manager()
    catalogue = Catalogue()
    for name, plugin in manager.list_name_plugin():
        try:
            _collect(manager, name, plugin, catalogue)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            manager.leave_out(name, error)
    clashes = [c for _, _, f in _REGISTERS for c in getattr(catalogue, f).clashes()]
    catalogue.broken = [
        *manager.broken,
        *manager.unknown_hooks(),
        *(BrokenPlugin("", "", str(clash)) for clash in clashes),
    ]
    return catalogue


def _collect(manager: PluginManager, name: str, plugin: object, catalogue: Catalogue) -> None:
    """Add all that a plugin offers, or nothing if it fails."""
    package, version = manager.sources.get(name, (PROJECT, ""))
    registers = [(make(name, package, version), hook, f) for hook, make, f in _REGISTERS]
    for register, hook, _ in registers:
        manager.call_one(plugin, hook, register)
    for register, _, registry in registers:
        for thing_name, thing in register.things:
            getattr(catalogue, registry).add(thing_name, thing, f"{package} {version}".strip())
    if name in manager.sources:
        info = _info(manager, name, plugin)
        catalogue.plugins.append(info)
        if not info.hooks:
            error = "implements no hook (is @arena.hookimpl missing?)"
            manager.broken.append(BrokenPlugin(name, package, error))


def _info(manager: PluginManager, name: str, plugin: object) -> PluginInfo:
    package, version = manager.sources.get(name, (PROJECT, ""))
    is_named = inspect.ismodule(plugin) or inspect.isclass(plugin) or inspect.isfunction(plugin)
    module = inspect.getmodule(plugin if is_named else type(plugin))
    return PluginInfo(
        name=name,
        package=package,
        version=version,
        file=getattr(module, "__file__", None) or "",
        hooks=tuple(caller.name for caller in manager.get_hookcallers(plugin) or ()),
    )
