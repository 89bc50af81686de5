"""``--explain``: the methods, their sources and their numbers below the page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output
from arena.errors import UsageError


def add_explain(parser: ArgumentParser) -> None:
    """Add ``--explain``."""
    parser.add_argument(
        "--explain",
        action="store_true",
        help="explain below how the numbers were computed: the methods, their sources, and the"
        " numbers that went in",
    )


def explain(arguments: Namespace, output: Output) -> None:
    """Add the methods to the output if ``--explain`` asks. Raises UsageError with ``--table``."""
    if not arguments.explain:
        return
    if getattr(arguments, "table", None) is not None:
        raise UsageError("--explain explains a whole page, and --table shows one table")
    output.present = arena.with_methods
