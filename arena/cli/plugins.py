"""``arena plugins``: what is installed, and what was left out and why."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue
from arena.records.listings import Listing


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the plugins, their hooks, and those that were left out."""
    output = Output(arguments, catalogue)
    rows = tuple(asdict(plugin) for plugin in catalogue.plugins)
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    output.write(Listing("plugins", rows, ("name", "package", "version", "hooks"), broken))
    return 0
