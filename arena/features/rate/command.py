"""``arena rate``: ratings of all runs of stores, or of a CSV of results."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.features.methods.explanation import add_explain, explain
from arena.features.rate.options import RatedStoreOptions
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared
from arena.urls import is_store


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "results",
        nargs="+",
        metavar="STORE|FILE.csv",
        help="stores, whose runs count together; or one CSV file with the columns"
        " a,b,wins,draws,losses, from a's point of view, and optionally a_moves, first or second;"
        " or, of games for more than two, with a row for each player and the columns"
        " game,player,place or game,player,payoff, and optionally seat and block;"
        " - reads standard input",
    )
    add_fields(parser, fields_of(declared(RatedStoreOptions)))
    add_explain(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the ratings."""
    # NumPy's threads wait for each other on a busy machine, and the matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = Output(arguments, catalogue)
    explain(arguments, output)
    files, options = arguments.results, options_of(arguments)
    if all(map(is_store, files)):
        output.write(arena.rate_stores(files, catalogue=catalogue, **options))
    elif len(files) > 1:
        raise UsageError("several files of results: rate stores, or one file")
    elif "game" in options or "count_forfeits" in options:
        raise UsageError("--game and --count-forfeits choose among the runs of stores")
    else:
        output.write(arena.rate(files[0], **options))
    return 0
