"""``arena evaluate``: players by the whole matrix of their results, with intervals."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of
from arena.cli.output import Output, add_output
from arena.inputs.stored_options import RecountOption
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "stores", nargs="+", metavar="STORE", help="stores, whose runs count together"
    )
    parser.add_argument("--game", metavar="GAME", help="count only the runs at this game")
    parser.add_argument(
        "--by",
        choices=("player", "game"),
        default="player",
        help="compare players by the scores against each other, or by those at all games of the"
        " runs, each of which is a task and votes (default: player)",
    )
    add_fields(parser, fields_of(declared(RecountOption)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the evaluation."""
    # NumPy's threads wait for each other on a busy machine, and the matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = Output(arguments, catalogue)
    output.write(
        arena.evaluate_store(
            arguments.stores, arguments.game, arguments.by, arguments.count_forfeits, catalogue
        )
    )
    return 0
