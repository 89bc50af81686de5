"""``arena verify STORE``: whether a store's games and totals are as the rules say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, refuse_runs, store_of
from arena.errors import UsageError
from arena.inputs.options import WorkOptions
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "")
    parser.add_argument(
        "--replay",
        action="store_true",
        help="play all games again too: each must come out move by move the same",
    )
    workers = fields_of(declared(WorkOptions))["workers"]
    add_fields(parser, {"workers": workers})
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Check the file, every game and every total. Return 1 and name the first that is wrong."""
    output = Output(arguments, catalogue)
    refuse_runs(arguments)
    if arguments.workers is not None and not arguments.replay:
        raise UsageError("-j goes with --replay: without it no game is played")
    with progress.display():
        report = arena.verify(
            store_of(arguments), catalogue, replay=arguments.replay, workers=arguments.workers
        )
    output.write(report)
    return 0 if report.holds else 1
