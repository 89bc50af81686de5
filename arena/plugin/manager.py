"""Load plugins one by one, leave out those that fail, and collect their offers."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType, MethodType, ModuleType
from typing import Any

import pluggy

from arena.errors import PluginError, UsageError, describe, did_you_mean, quoted
from arena.player import PlayerInfo
from arena.player.names import names_a_file
from arena.plugin import hookspecs
from arena.plugin.catalogue import Catalogue, PluginInfo
from arena.plugin.commands import Command, Commands
from arena.plugin.installed import PluginDeclaration, declared
from arena.plugin.markers import PROJECT
from arena.plugin.observers import HOOKS, Observer, Observers
from arena.plugin.registers import (
    ExecutorRegister,
    GameRegister,
    PlayerRegister,
    ProtocolRegister,
    Register,
    ReportRegister,
    ScheduleRegister,
)
from arena.plugin.registry import Registry, RejectedPlugin

#: Names of plugins, with commas between them, that are not to be loaded.
DISABLE = "ARENA_DISABLE_PLUGINS"

#: How the names of hooks begin by which a plugin brings things.
OFFERING = ("arena_register_", "arena_add_")

#: Before the name of a plugin that is not to be loaded, where files are named that are.
_BLOCK = "no:"

#: The types of things that a marker marks.
_MARKED = (FunctionType, MethodType)


class PluginManager(pluggy.PluginManager):
    """Pluggy's manager with arena's hooks, and a memory for where plugins come from."""

    def __init__(self) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(hookspecs)
        self.sources: dict[str, tuple[str, str]] = {}
        self.broken: list[RejectedPlugin] = []
        #: The plugins that are files of the user's own, with the absolute path of each.
        self.files: dict[str, str] = {}

    def load_file(self, file: str) -> None:
        """Load the plugin in a file. Raises UsageError or PluginError, for the user asks for it."""
        from arena.player_file.plugin import load_plugin_file  # pickle takes a while to import

        module = load_plugin_file(file)
        self.sources[file], self.files[file] = (file, ""), str(module.__file__)
        try:
            self.register(module, file)
        except Exception as error:
            self.leave_out(file, error)

    def load(self, entry: PluginDeclaration, name: str) -> None:
        """Load one entry point. A failure is noted in ``broken``."""
        self.sources[name] = entry.package, entry.version
        try:
            self.register(entry.load(), name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.leave_out(name, error)

    def source(self, name: str) -> tuple[str, str]:
        """Return the name and version of the distribution that a plugin comes from."""
        return self.sources.get(name, (PROJECT, ""))

    def leave_out(self, name: str, error: BaseException) -> None:
        """Unregister a plugin that failed. Raises PluginError if the user named it."""
        if self.has_plugin(name):  # pluggy before 1.7 keeps what it could not verify
            self.unregister(name=name)
        if name in self.files:
            is_known = isinstance(error, PluginError)
            problem = str(error).removeprefix(f"plugin {name}: ") if is_known else describe(error)
            raise PluginError(f"plugin {quoted(name)}: {problem}") from error
        package, _ = self.sources.pop(name, ("", ""))
        self.broken.append(RejectedPlugin(name, package, describe(error)))

    def register(self, plugin: object, name: str | None = None) -> str | None:
        """Register a plugin as pluggy does. Raises PluginError for a hook that it cannot call."""
        try:
            registered = super().register(plugin, name)
        except pluggy.PluginValidationError as error:
            raise PluginError(_validation(error)) from error
        for caller in self.get_hookcallers(plugin) or ():
            for hookimpl in caller.get_hookimpls():
                if hookimpl.plugin is plugin and (problem := _problem(caller, hookimpl)):
                    self.unregister(plugin)
                    raise PluginError(f"hook {caller.name!r} {problem}")
        return registered

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        """Look for a hook as pluggy does, but at the marked functions of a module alone.

        Pluggy looks at everything so carefully that it takes half the time of loading plugins.
        """
        if isinstance(plugin, ModuleType):
            function = vars(plugin).get(name)
            if not (isinstance(function, _MARKED) and hasattr(function, f"{PROJECT}_impl")):
                return None
        return super().parse_hookimpl_opts(plugin, name)

    def implementations(self, hook: str) -> Iterator[pluggy.HookImpl]:
        """Yield the implementations of a hook in pluggy's order: tryfirst, the others, trylast."""
        caller: pluggy.HookCaller = getattr(self.hook, hook)
        yield from reversed(caller.get_hookimpls())

    def unknown_hooks(self) -> Iterator[RejectedPlugin]:
        """Yield a complaint for every hook implementation that does not match a hook of arena."""
        hooks = [name for name in vars(hookspecs) if name.startswith(f"{PROJECT}_")]
        for name, caller in vars(self.hook).items():
            if isinstance(caller, pluggy.HookCaller) and not caller.has_spec():
                for implementation in caller.get_hookimpls():
                    package, _ = self.sources.get(implementation.plugin_name, ("", ""))
                    hint = did_you_mean(name, hooks, f"{PROJECT}_")
                    error = f"unknown hook {name!r}{hint}"
                    yield RejectedPlugin(implementation.plugin_name, package, error)


def create_plugin_manager(built_in: bool = True, plugins: Sequence[str] = ()) -> PluginManager:
    """Make a manager with every installed plugin that loads and is not disabled.

    Without ``built_in`` it leaves out arena's own plugins, which offer no command. ``plugins`` are
    as for :func:`load_catalogue`.
    """
    files = [word for word in plugins if not word.startswith(_BLOCK)]
    for file in files:
        if not names_a_file(file):
            raise UsageError(f"plugin {quoted(file)}: write {_BLOCK}NAME, or a file as ./{file}.py")
    blocked = {word.removeprefix(_BLOCK) for word in plugins if word.startswith(_BLOCK)}
    disabled = {name.strip() for name in os.environ.get(DISABLE, "").split(",")}
    manager, entries = PluginManager(), declared(PROJECT)
    left_out: set[str] = set()
    uses = Counter(entry.name for entry in entries)
    for entry in sorted(entries, key=lambda entry: (entry.package, entry.version, entry.name)):
        name = entry.name if uses[entry.name] == 1 else f"{entry.package}:{entry.name}"
        if (disabled | blocked) & {name, entry.name}:
            left_out.update({name, entry.name})
        elif built_in or not _is_built_in(entry):
            manager.load(entry, name)
    for name in _missing(blocked - left_out, uses):
        raise UsageError(f"{name} (see: arena plugins)")
    for name in _missing(disabled - left_out - {""}, uses):
        manager.broken.append(RejectedPlugin("", "", f"{DISABLE} names {name}"))
    for file in dict.fromkeys(files):
        manager.load_file(file)
    return manager


def _missing(names: Iterable[str], plugins: Iterable[str]) -> Iterator[str]:
    for name in sorted(names):
        yield f"no plugin {name!r}{did_you_mean(name, plugins)}"


def _problem(caller: pluggy.HookCaller, hookimpl: pluggy.HookImpl) -> str:
    """Return why arena cannot call an implementation of a hook, or nothing if it can."""
    if not caller.has_spec():
        return ""  # no function of that name is ever called, which is said elsewhere
    if hookimpl.wrapper or hookimpl.hookwrapper:
        return "cannot have a wrapper: each plugin is asked alone, so there is nothing to wrap"
    function = hookimpl.function
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "is an async function, which pluggy does not await"
    if inspect.isgeneratorfunction(function):
        return "is a generator function, whose body pluggy does not run"
    return ""


def _is_built_in(entry: PluginDeclaration) -> bool:
    return entry.module.partition(".")[0] == PROJECT


@dataclass(frozen=True)
class Installation:
    """Everything from plugins: the catalogue, and the commands."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    commands: Registry[Command] = field(default_factory=lambda: Registry("command"))

    @property
    def hooks(self) -> tuple[tuple[str, type[Register[Any]], Registry[Any]], ...]:
        """The hooks, in calling order: what a plugin is given, and where its things go."""
        return (
            ("arena_register_games", GameRegister, self.catalogue.families),
            ("arena_register_players", PlayerRegister, self.catalogue.players),
            ("arena_register_protocols", ProtocolRegister, self.catalogue.protocols),
            ("arena_register_schedules", ScheduleRegister, self.catalogue.schedules),
            ("arena_register_executors", ExecutorRegister, self.catalogue.executors),
            ("arena_register_reports", ReportRegister, self.catalogue.reports),
            ("arena_add_command", Commands, self.commands),
        )


def load_catalogue(plugins: Sequence[str] = ()) -> Catalogue:
    """Return what all installed plugins offer to play with, and those in files.

    ``plugins`` are as for ``arena -p``: ``./corner.py`` loads a file, ``no:NAME`` leaves the
    plugin of that name out.
    """
    return load_plugins(create_plugin_manager(plugins=plugins)).catalogue


def load_plugins(manager: PluginManager) -> Installation:
    """Return what the manager's plugins brought.

    Each is asked with registers of its own. Its things count when its last hook has ended well, so
    that a plugin which fails leaves nothing behind.
    """
    installed = Installation()
    sources = {
        id(plugin): _PluginSource(name, plugin) for name, plugin in manager.list_name_plugin()
    }
    for hook, make, registry in installed.hooks:
        for implementation in manager.implementations(hook):
            source = sources[id(implementation.plugin)]
            if source.failed:
                continue
            register = make(source.name, *manager.source(source.name))
            source.registers.append((register, registry))
            try:
                implementation.function(*([register] if implementation.argnames else []))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                source.failed = True
                manager.leave_out(source.name, error)
    for source in sources.values():
        if not source.failed:
            _take(manager, source, installed)
    registries = [registry for _, _, registry in installed.hooks]
    clashes = [clash for registry in registries for clash in registry.clashes()]
    installed.catalogue.broken[:] = [
        *manager.broken,
        *manager.unknown_hooks(),
        *(RejectedPlugin("", "", clash) for clash in clashes),
    ]
    for registry in registries:
        registry.left_out = installed.catalogue.broken
    files = tuple(info.name for info in installed.catalogue.plugins if names_a_file(info.name))
    observers = replace(_observers(manager), files=files)
    observed = replace(installed.catalogue, observers=observers)
    return replace(installed, catalogue=observed)


def _observers(manager: PluginManager) -> Observers:
    """Return what the manager's plugins observe with, in pluggy's order of calls."""
    return Observers(
        tuple(
            Observer(hookimpl.plugin_name, hook, hookimpl.function, tuple(hookimpl.argnames))
            for hook in HOOKS
            for hookimpl in manager.implementations(hook)
        )
    )


def _validation(error: pluggy.PluginValidationError) -> str:
    """Return pluggy's complaint of a hook on one line, without the name of the plugin."""
    hook, _, complaint = str(error).partition("for hook ")[2].partition("\n")
    return f"hook {hook}: {' '.join(complaint.split())}"


@dataclass
class _PluginSource:
    """A plugin whose hooks are called, with what it gave to its registers so far."""

    name: str
    plugin: object
    registers: list[tuple[Register[Any], Registry[Any]]] = field(default_factory=list)
    failed: bool = False


def _take(manager: PluginManager, source: _PluginSource, installed: Installation) -> None:
    """Add what a plugin offers."""
    package, version = manager.source(source.name)
    for register, registry in source.registers:
        for name, item in register.offers:
            if isinstance(item, PlayerInfo) and source.name in manager.files:
                item = replace(item, code=(*item.code, manager.files[source.name]))
            registry.add(name, item, package, version)
    if source.name in manager.sources:
        offers = [
            (to.kind, name) for register, to in source.registers for name, _ in register.offers
        ]
        info = _info(manager, source.name, source.plugin, _offers(offers))
        installed.catalogue.plugins.append(info)
        if not info.hooks:
            error = "implements no hook (is @arena.hookimpl missing?)"
            manager.broken.append(RejectedPlugin(source.name, package, error))


def _offers(offers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield what a plugin brought, each kind once: ``game tictactoe, connect4``."""
    kinds: dict[str, list[str]] = {}
    for kind, name in offers:
        kinds.setdefault(kind, []).append(name)
    for kind, names in kinds.items():
        yield f"{kind} {', '.join(names)}"


def _info(manager: PluginManager, name: str, plugin: object, offers: Iterable[str]) -> PluginInfo:
    package, version = manager.source(name)
    hooks = tuple(caller.name for caller in manager.get_hookcallers(plugin) or ())
    is_named = inspect.ismodule(plugin) or inspect.isclass(plugin) or inspect.isfunction(plugin)
    module = inspect.getmodule(plugin if is_named else type(plugin))
    return PluginInfo(
        name=name,
        package=package,
        version=version,
        file=getattr(module, "__file__", None) or "",
        hooks=hooks,
        offers=(*offers, *(hook for hook in hooks if not hook.startswith(OFFERING))),
    )
