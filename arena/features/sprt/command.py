"""``arena sprt``: a sequential test on results from anywhere."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace

import arena
from arena.cli.fields import add_fields, field_of, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.cli.running import DECISION_CODES
from arena.errors import quoted
from arena.inputs.options import EloOptions, ErrorOptions
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--counts",
        type=_counts,
        required=True,
        metavar="COUNTS",
        help="LL,LD,MID,WD,WW of pairs, or L,D,W of games, in the first player's view",
    )
    elos = {
        name: field_of(replace(option, default=None), required=True)
        for name, option in declared(EloOptions).items()
    }
    add_fields(parser, elos | fields_of(declared(ErrorOptions)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the state of the test. Return 0 if it accepts H1, 1 if H0, 3 if neither yet."""
    output = Output(arguments, catalogue)
    report = arena.sprt(arguments.counts, **options_of(arguments))
    output.write(report)
    return DECISION_CODES[report.decision]


def _counts(text: str) -> tuple[int, ...]:
    cells = text.split(",")
    whole = all(cell.isascii() and cell.isdigit() and len(cell) <= 15 for cell in cells)
    if len(cells) not in (3, 5) or not whole:
        raise ArgumentTypeError(f"must be 3 or 5 whole numbers with commas, not {quoted(text)}")
    return tuple(map(int, cells))
