"""``arena doctor``: how well this machine isolates players, and what to do about it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was attempted in each tier. Return 0 if a strong tier is available, else 1."""
    output = Output(arguments, catalogue)
    report = arena.doctor()
    output.write(report)
    return 0 if report.is_strong else 1
