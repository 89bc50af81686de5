"""``arena copy STORE STORE``: all that one store has, in another one too."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    form = "a file, or postgresql://USER@HOST/DATABASE"
    parser.add_argument("source", metavar="FROM", help=f"the store to read: {form}")
    parser.add_argument(
        "target", metavar="TO", help="the store to write to, created if needed; it keeps all"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was copied."""
    output = Output(arguments, catalogue)
    with progress.display():
        report = arena.copy_store(arguments.source, arguments.target)
    output.write(report)
    return 0
