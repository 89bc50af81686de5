"""``arena verify STORE``: whether a store's games and totals are as the rules say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, refuse_runs, store_of
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "")
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Check the file, every game and every total. Return 1 and name the first that is wrong."""
    output = Output(arguments, catalogue)
    refuse_runs(arguments)
    with progress.shown():
        report = arena.verify(store_of(arguments), catalogue)
    output.write(report)
    return 0 if report.holds else 1
