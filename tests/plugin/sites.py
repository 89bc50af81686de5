"""Distributions that are installed for one test, and what the rest of arena still has to do."""

from __future__ import annotations

import importlib
from pathlib import Path
from textwrap import dedent

import arena
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import PluginManager, load_plugins
from arena.plugin.registry import RejectedPlugin


class Site:
    """A folder on the path into which distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, distribution: str, entries: str, version: str = "1.0", **code: str) -> None:
        """Install modules under ``arena_test_NAME``, and entry points ``NAME`` or ``NAME = VALUE``.

        An entry point without a value is the module of its name.
        """
        for name, text in code.items():
            path = self.folder / f"arena_test_{name}.py"
            start = "" if "import arena\n" in text else "import arena\n"
            path.write_text(start + dedent(text), encoding="utf-8")
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        lines = [
            entry if "=" in entry else f"{entry} = arena_test_{entry}"
            for entry in entries.split(", ")
        ]
        (info / "entry_points.txt").write_text("\n".join(["[arena]", *lines, ""]))
        importlib.invalidate_caches()


def offering(*players: str) -> str:
    """Return the code of a plugin that offers players, which take the lowest legal move."""
    return f"""
def choose(position, rng):
    return position.legal_moves()[0]

@arena.hookimpl
def arena_register_players(register):
    for name in {players!r}:
        register(name, choose)
"""


def names(catalogue: Catalogue) -> set[str]:
    """Return the players that are listed."""
    return {name for name, _ in catalogue.players}


def check_the_rest(catalogue: Catalogue) -> None:
    """Check that the faultless plugins and arena's own have lost nothing."""
    built_in = {info.name for _, info in load_built_in().players}
    assert {"first-of-all", "last-of-all", "monkey"} <= names(catalogue)
    assert built_in <= names(catalogue)
    assert {"json", "table"} <= {name for name, _ in catalogue.reports}
    assert {"processes", "serial"} <= {name for name, _ in catalogue.executors}
    assert catalogue.game("tictactoe").name == "tictactoe"
    result = arena.fight("first-of-all", "last-of-all", n=1, executor="serial", catalogue=catalogue)
    assert (result.total.games, result.a.forfeits, result.b.forfeits) == (2, {}, {})


def load_built_in() -> Catalogue:
    """Return what arena's own plugins offer."""
    manager = PluginManager()
    for name in ("games", "executors", "reports"):
        manager.register(importlib.import_module(f"arena.plugins.{name}"), name)
    manager.register(importlib.import_module("arena.players.monkey"), "monkey")
    return load_plugins(manager).catalogue


def the_broken(catalogue: Catalogue) -> RejectedPlugin:
    """Return the only complaint there is, which must be one line."""
    (broken,) = catalogue.broken
    assert "\n" not in broken.error
    return broken


COMMAND = """
def configure(parser):
    parser.add_argument("--times", type=int, default=1)

def run(arguments, catalogue):
    print("hello " * arguments.times + catalogue.player("monkey").name)
    return 3

@arena.hookimpl
def arena_add_command(commands):
    commands.add("hello", "greet the monkey", configure, run)
"""
