"""``arena verify STORE``: whether a store's games and totals are as the rules say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", metavar="STORE", help="the file that --store named")
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Check the file, every game and every total; 1 names the first thing that is wrong."""
    output = Output(arguments, catalogue)
    report = api.verify(arguments.store, catalogue)
    output.write(report)
    return 0 if report.holds else 1
