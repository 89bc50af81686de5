"""``arena export``: runs with all their games."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, runs_of, store_of
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "runs (default: all)")
    add_output(parser, usual="json")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the runs as they are at one moment, also while a run writes."""
    output = Output(arguments, catalogue)
    with progress.display():
        exported = arena.export(store_of(arguments), runs_of(arguments), catalogue)
    output.write(exported)
    return 0
