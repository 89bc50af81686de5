"""``arena report STORE -o report.html``: one page of everything that a store has."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import STORE, whole
from arena.cli.common.output import Output, add_output
from arena.cli.common.stores import MAX_RUN
from arena.errors import UsageError
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="STORE|RESULT.json",
        help="a store, or the JSON of a fight or a tournament; several make one page"
        f" (default: ${STORE}, if that is set)",
    )
    parser.add_argument(
        "--run",
        action="append",
        default=[],
        type=whole(1, MAX_RUN),
        metavar="N",
        help="a run of the store, as listed by: arena runs; give the option again for another"
        " (default: all)",
    )
    add_output(parser, usual="html")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the same as --output")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Write the page; nobody plays."""
    output = Output(arguments, catalogue)
    sources = arguments.sources or list(filter(None, [os.environ.get(STORE)]))
    if not sources:
        raise UsageError(
            f"nothing is named: write arena report STORE -o report.html, or set {STORE}"
        )
    if arguments.output is None and arguments.format in (None, "html") and sys.stdout.isatty():
        raise UsageError("a page is for a file: name one with -o report.html")
    output.write(api.report(sources, runs=arguments.run, catalogue=catalogue))
    return 0
