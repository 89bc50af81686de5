"""``arena exact A B``: the result of a pairing as probabilities, without sampling."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, field, options_of, shared, whole
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.inputs.options import MAX_WORKERS
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.base import Record


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="two for a pairing, more for a round robin (default: every stateless player)",
    )
    workers = field(
        "-j",
        type=whole(1, MAX_WORKERS),
        metavar="WORKERS",
        help="number of pairings to calculate in parallel (default: one per core)",
    )
    wanted = shared("game", "openings", "max_positions", "max_seconds")
    add_fields(parser, {**wanted, "workers": workers, **shared("executor")})
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the exact result of the pairing or of the round robin."""
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    with progress.shown():
        if len(arguments.players) == 2:
            result: Record = arena.exact(*arguments.players, **options)
        else:
            result = arena.exact_tournament(arguments.players, **options)
    output.write(result)
    return 0
