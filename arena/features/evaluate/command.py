"""``arena evaluate``: players by the whole matrix of their results, with intervals."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.features.evaluate.options import EvaluateOptions
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "stores", nargs="+", metavar="STORE", help="stores, whose runs count together"
    )
    add_fields(parser, fields_of(declared(EvaluateOptions)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the evaluation."""
    # NumPy's threads wait for each other on a busy machine, and the matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = Output(arguments, catalogue)
    options = options_of(arguments)
    output.write(arena.evaluate_store(arguments.stores, catalogue=catalogue, **options))
    return 0
