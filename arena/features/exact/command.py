"""``arena exact A B``: the result of a pairing as probabilities, without sampling."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, field_of, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.features.exact.options import ExactOptions
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.base import Record
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="two for a pairing, more for a round robin (default: every stateless player)",
    )
    options = declared(ExactOptions)
    text = "number of pairings to calculate in parallel (default: one per core)"
    add_fields(parser, fields_of(options) | {"workers": field_of(options["workers"], help=text)})
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the exact result of the pairing or of the round robin."""
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    with progress.display():
        if len(arguments.players) == 2:
            result: Record = arena.exact(*arguments.players, **options)
        else:
            result = arena.exact_tournament(arguments.players, **options)
    output.write(result)
    return 0
