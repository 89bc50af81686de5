"""Load plugins one by one, leave out those that fail, and collect their offers."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Any

import pluggy

from arena.errors import describe, did_you_mean
from arena.plugin import hookspecs
from arena.plugin.catalogue import BrokenPlugin, Catalogue, PluginInfo
from arena.plugin.commands import Command, Commands
from arena.plugin.markers import PROJECT
from arena.plugin.registry import (
    ExecutorRegister,
    GameRegister,
    PlayerRegister,
    Register,
    Registry,
    ReportRegister,
)

#: Names of plugins, with commas between them, that are not to be loaded.
DISABLE = "ARENA_DISABLE_PLUGINS"


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
        """Yield a complaint for every hook implementation that does not match a hook of arena."""
        known = [name for name in vars(hookspecs) if name.startswith(f"{PROJECT}_")]
        for name, caller in vars(self.hook).items():
            if isinstance(caller, pluggy.HookCaller) and not caller.has_spec():
                for implementation in caller.get_hookimpls():
                    package, _ = self.sources.get(implementation.plugin_name, ("", ""))
                    error = f"unknown hook {name!r}{did_you_mean(name, known)}"
                    yield BrokenPlugin(implementation.plugin_name, package, error)


def create_plugin_manager(own: bool = True) -> PluginManager:
    """Make a manager with every installed plugin that loads and is not disabled.

    Without ``own`` arena's own plugins are left out, which offer no command.
    """
    manager = PluginManager()
    disabled = {name.strip() for name in os.environ.get(DISABLE, "").split(",")}
    entries = entry_points(group=PROJECT)
    disabled_here: set[str] = set()
    uses = Counter(entry.name for entry in entries)
    for entry in sorted(entries, key=lambda entry: (_source(entry), entry.name)):
        name = entry.name if uses[entry.name] == 1 else f"{_source(entry)[0]}:{entry.name}"
        if disabled & {name, entry.name}:
            disabled_here.update({name, entry.name})
        elif own or not _is_own(entry):
            manager.load(entry, name)
    for name in sorted(disabled - disabled_here - {""}):
        hint = did_you_mean(name, uses)
        manager.broken.append(BrokenPlugin("", "", f"{DISABLE} names no plugin {name!r}{hint}"))
    return manager


def _is_own(entry: EntryPoint) -> bool:
    return entry.module.partition(".")[0] == PROJECT


def _source(entry: EntryPoint) -> tuple[str, str]:
    """Return the name and version of the distribution of an entry point."""
    return _name_and_version(entry.dist) if entry.dist else ("", "")


@cache
def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    # Read once for both; neither is there where an uninstallation was cut short.
    metadata = distribution.metadata
    has = metadata.__contains__
    return metadata["Name"] if has("Name") else "", metadata["Version"] if has("Version") else ""


@dataclass(frozen=True)
class Installed:
    """Everything from plugins: the catalogue, and the commands."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    commands: Registry[Command] = field(default_factory=lambda: Registry("command"))

    @property
    def hooks(self) -> tuple[tuple[str, type[Register[Any]], Registry[Any]], ...]:
        """The hooks, in calling order: what a plugin is given, and where its things go."""
        return (
            ("arena_register_games", GameRegister, self.catalogue.families),
            ("arena_register_players", PlayerRegister, self.catalogue.players),
            ("arena_register_executors", ExecutorRegister, self.catalogue.executors),
            ("arena_register_reports", ReportRegister, self.catalogue.reports),
            ("arena_add_command", Commands, self.commands),
        )


def load_catalogue() -> Catalogue:
    """Return what all installed plugins offer to play with."""
    return load_plugins(create_plugin_manager()).catalogue


def load_plugins(manager: PluginManager) -> Installed:
    """Return everything from the manager's plugins."""
    installed = Installed()
    for name, plugin in manager.list_name_plugin():
        try:
            _collect(manager, name, plugin, installed)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            manager.leave_out(name, error)
    clashes = [clash for _, _, registry in installed.hooks for clash in registry.clashes()]
    installed.catalogue.broken[:] = [
        *manager.broken,
        *manager.unknown_hooks(),
        *(BrokenPlugin("", "", str(clash)) for clash in clashes),
    ]
    return installed


def _collect(manager: PluginManager, name: str, plugin: object, installed: Installed) -> None:
    """Add all that a plugin offers, or nothing if it fails."""
    package, version = manager.sources.get(name, (PROJECT, ""))
    registers = [(make(name, package, version), hook, own) for hook, make, own in installed.hooks]
    for register, hook, _ in registers:
        manager.call_one(plugin, hook, register)
    for register, _, registry in registers:
        for thing_name, thing in register.things:
            registry.add(thing_name, thing, f"{package} {version}".strip())
    if name in manager.sources:
        info = _info(manager, name, plugin)
        installed.catalogue.plugins.append(info)
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
