"""What tests of observers share: a plugin that notes what it hears, and a catalogue with it."""

from __future__ import annotations

from typing import Any

import arena
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import create_plugin_manager, load_plugins


class Ends:
    """Notes the calls that come in a fixed order, but for those about single games."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    def of(self, kind: str) -> list[Any]:
        return [thing for name, thing in self.heard if name == kind]

    @arena.hookimpl
    def arena_run_start(self, run: Any) -> None:
        self.heard.append(("start", run.as_json()))

    @arena.hookimpl
    def arena_fight_end(self, result: Any) -> None:
        self.heard.append(("fight", result))

    @arena.hookimpl
    def arena_run_end(self, result: Any) -> None:
        self.heard.append(("end", result))


class Recorder(Ends):
    """Notes games too."""

    @arena.hookimpl
    def arena_game_end(self, game: Any) -> None:
        self.heard.append(("game", game))


def observed_by(*plugins: object) -> Catalogue:
    """Return all that is installed, with observers named observer0, observer1, ..."""
    manager = create_plugin_manager()
    for number, plugin in enumerate(plugins):
        manager.register(plugin, f"observer{number}")
    return load_plugins(manager).catalogue
