"""``arena sprt``: a sequential test on results from anywhere."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from arena import api
from arena.cli.output import Output, add_output
from arena.commands import Commands
from arena.errors import quoted
from arena.markers import hookimpl
from arena.plugin import Catalogue
from arena.stats.sprt import MODELS

#: The exit code of each decision.
CODES = {"H1": 0, "H0": 1, "continue": 3}


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--counts",
        type=_counts,
        required=True,
        metavar="COUNTS",
        help="LL,LD,MID,WD,WW of pairs, or L,D,W of games, in the first player's view",
    )
    parser.add_argument("--elo0", type=_number, required=True, metavar="ELO", help="H0")
    parser.add_argument("--elo1", type=_number, required=True, metavar="ELO", help="H1")
    for name, wrongly in (("alpha", "H1"), ("beta", "H0")):
        parser.add_argument(
            f"--{name}",
            type=_number,
            default=0.05,
            metavar="P",
            help=f"probability of accepting {wrongly} wrongly (default: 0.05)",
        )
    parser.add_argument(
        "--model",
        default="logistic",
        metavar="MODEL",
        help=f"what elo0 and elo1 are: {' or '.join(MODELS)} (default: logistic)",
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the state of the test; 0 if H1 is accepted, 1 if H0 is, 3 if neither is yet."""
    output = Output(arguments, catalogue)
    report = api.sprt(
        arguments.counts,
        elo0=arguments.elo0,
        elo1=arguments.elo1,
        alpha=arguments.alpha,
        beta=arguments.beta,
        model=arguments.model,
    )
    output.write(report)
    return CODES[report.decision]


def _counts(text: str) -> tuple[int, ...]:
    cells = text.split(",")
    whole = all(cell.isascii() and cell.isdigit() and len(cell) <= 15 for cell in cells)
    if len(cells) not in (3, 5) or not whole:
        raise ArgumentTypeError(f"must be 3 or 5 whole numbers with commas, not {quoted(text)}")
    return tuple(map(int, cells))


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(f"must be a number, not {quoted(text)}")
    return number


@hookimpl
def arena_add_command(commands: Commands) -> None:
    commands.add("sprt", "test a difference in Elo on given results", configure, run)
