"""``arena copy STORE STORE``: the runs, nights and imports of one store, in another one too."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    form = "a file, or postgresql://USER@HOST/DATABASE"
    parser.add_argument("source", metavar="FROM", help=f"the store to read: {form}")
    parser.add_argument(
        "target", metavar="TO", help="the store to write to, created if needed; it keeps all"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was copied; 1 if a run is being played, and so was left out."""
    output = Output(arguments, catalogue)
    report = api.copy_store(arguments.source, arguments.target)
    output.write(report)
    return 0 if report.whole else 1
