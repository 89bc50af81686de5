"""List arena's own commands: each is in ``arena.features.NAME.command``, imported when chosen.

They are added by the hook that other plugins use.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from types import ModuleType
from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue
    from arena.plugin.commands import Commands

#: Names with their line in the list of commands, by what they are for.
COMMANDS_BY_PURPOSE = {
    "Play": {
        "fight": "play two players against each other",
        "tournament": "play a round robin, or another schedule",
        "resume": "continue an interrupted run",
        "play": "play against a player, or watch two",
        "hand-in": "hand in to a contest that a server conducts",
        "league": "hold a league in a repository, in which a pull request is an entry",
        "work": "play games for a server that hands them out",
        "train": "train a player that learns",
    },
    "Judge": {
        "regress": "check that no player got weaker and every claim holds",
        "check": "check that a player, or a game, keeps its contract",
        "rate": "compute ratings from stores, or from a CSV of results",
        "evaluate": "compare players by the whole matrix of results, with intervals",
        "plan": "compute how many games you need for the confidence you want",
        "sprt": "run a sequential test on results that you have",
        "history": "show a player's strength over time",
    },
    "Prove": {
        "exact": "compute the exact result of a pairing",
        "certify": "prove that a player never loses, or how much can be won against it",
        "solve": "find the value of a game, and prove it",
        "exam": "ask players where the best moves are known",
    },
    "Look at games": {
        "move": "show what a player does in a position",
        "replay": "show one game again, by its id or from a file",
        "explain": "show what every move of a game was worth",
        "debug": "play one game again, in pdb where a player raises",
        "browse": "list the games of a store",
        "report": "write a store as one page for a browser",
        "serve": "show a store in the browser, follow a run, and play there",
    },
    "Keep results": {
        "runs": "list the runs of a store",
        "show": "show a stored run again",
        "export": "print runs of a store with all their games",
        "import": "import games that were played elsewhere into a store",
        "copy": "copy the runs of a store to another one",
        "verify": "check a store by the rules, without players",
    },
    "See what is here": {
        "players": "list the players",
        "games": "list the games",
        "plugins": "list the plugins",
        "doctor": "show which sandboxes work on this machine",
        "completion": "print the completion script for bash, zsh or fish",
        "new": "create a project: a player, a game, a tournament, a contest and so on",
    },
}

#: Their names with their lines, whatever they are for.
COMMANDS = {
    name: summary for named in COMMANDS_BY_PURPOSE.values() for name, summary in named.items()
}


@hookimpl
def arena_add_command(commands: Commands) -> None:
    """Add them all."""
    for name, summary in COMMANDS.items():
        commands.add(name, summary, *_functions(name))


def folder_of(name: str) -> str:
    """Return the folder of a command: its name, where that may be the name of a package.

    >>> folder_of("hand-in"), folder_of("import")
    ('hand_in', 'import_')
    """
    return f"{name.replace('-', '_')}{'_' * iskeyword(name)}"


def _functions(
    name: str,
) -> tuple[Callable[[ArgumentParser], None], Callable[[Namespace, Catalogue], int]]:
    def module() -> ModuleType:
        return import_module(f"arena.features.{folder_of(name)}.command")

    def configure(parser: ArgumentParser) -> None:
        module().configure(parser)

    def run(arguments: Namespace, catalogue: Catalogue) -> int:
        code: int = module().run(arguments, catalogue)
        return code

    return configure, run
