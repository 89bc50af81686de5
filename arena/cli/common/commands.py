"""List arena's own commands: the module ``arena.cli.NAME`` has each, imported when it is chosen.

They are added by the hook that other plugins use.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue
    from arena.plugin.commands import Commands

#: Names with their line in the list of commands.
COMMANDS = {
    "fight": "play two players against each other",
    "tournament": "play everybody against everybody, or by another schedule",
    "resume": "go on with a run that was ended too early",
    "exact": "compute the exact result of a pairing",
    "certify": "prove that a player never loses",
    "check": "check that a player, or a game, keeps its contract",
    "regress": "check that nobody got weaker and every claim holds",
    "history": "tell how strong a player was, night by night",
    "sprt": "test a difference in Elo on given results",
    "plan": "tell how many games a wished certainty takes",
    "rate": "rate players by all runs of stores, or by results from anywhere",
    "train": "train a player that learns",
    "solve": "find the value of a game, and prove it",
    "move": "show what a player does in a position",
    "play": "play against a player, or watch two",
    "replay": "show one game again from its id or its file",
    "explain": "show one game with what every move was worth",
    "debug": "play one game again with pdb where a player raises",
    "runs": "list the runs of a store",
    "browse": "list the games of a store",
    "show": "show a stored run again",
    "report": "write what a store has as one page for a browser",
    "serve": "show a store in the browser, also while a run is played, and play there",
    "export": "print runs of a store with all their games",
    "import": "take games that were played elsewhere into a store",
    "copy": "copy the runs of a store to another one",
    "verify": "check a store by the rules, without players",
    "players": "list the players",
    "games": "list the games",
    "plugins": "list the plugins",
    "new": "begin a project: a player, a game, a plugin or a contest",
    "completion": "print a script by which bash, zsh or fish completes commands",
    "doctor": "tell how well players are kept apart here",
}


@hookimpl
def arena_add_command(commands: Commands) -> None:
    """Add them all."""
    for name, summary in COMMANDS.items():
        commands.add(name, summary, *_functions(name))


def _functions(
    name: str,
) -> tuple[Callable[[ArgumentParser], None], Callable[[Namespace, Catalogue], int]]:
    def module() -> ModuleType:
        return import_module(f"arena.cli.{name}")

    def configure(parser: ArgumentParser) -> None:
        module().configure(parser)

    def run(arguments: Namespace, catalogue: Catalogue) -> int:
        code: int = module().run(arguments, catalogue)
        return code

    return configure, run
