"""``arena import FILE.pgn``: take games that were played elsewhere into a store."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, store
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.model.defaults import STORE
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE.pgn", help="games as PGN, of any kind of game")
    purpose = "take the games into this file, made if there is none"
    add_fields(parser, {"store": store(purpose)})
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print how many games were taken, and which were not. Return 1 if one was left out."""
    output = Output(arguments, catalogue)
    if not arguments.store:
        raise UsageError(f"no store is named: use --store STORE, or set {STORE}")
    report = arena.import_games(arguments.file, arguments.store, catalogue)
    output.write(report)
    return 1 if report.left_out else 0
