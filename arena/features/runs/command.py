"""``arena runs``: what a store has."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, refuse_runs, store_of
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "")
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the list of runs."""
    output = Output(arguments, catalogue)
    refuse_runs(arguments)
    output.write(arena.stored_runs(store_of(arguments)))
    return 0
