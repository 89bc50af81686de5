"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena.cli.output import Output, add_output
from arena.commands import Commands
from arena.markers import hookimpl
from arena.plugin import Catalogue
from arena.results import Listing


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the families of games."""
    output = Output(arguments, catalogue)
    rows = tuple({"name": name, "summary": family.summary} for name, family in catalogue.families)
    output.write(Listing("games", rows, ("name", "summary")))
    return 0


@hookimpl
def arena_add_command(commands: Commands) -> None:
    commands.add("games", "list the games", configure, run)
