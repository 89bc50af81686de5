"""``arena rate FILE.csv``: ratings of results from anywhere."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "results",
        metavar="FILE.csv",
        help="results with the columns a,b,wins,draws,losses, from a's view; a column a_moves may"
        " say first or second; - reads standard input",
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the ratings."""
    # NumPy's threads wait for each other on a busy machine, and the matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = Output(arguments, catalogue)
    output.write(api.rate(arguments.results))
    return 0
