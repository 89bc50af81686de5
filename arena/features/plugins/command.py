"""``arena plugins``: what is installed, and what was left out and why."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_one_of
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_one_of(parser, "plugin")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what the plugins offer and those that were left out, or one plugin."""
    output, name = Output(arguments, catalogue), arguments.plugin
    if name is None:
        output.write(arena.installed_plugins(catalogue))
    else:
        output.write(arena.describe_plugin(name, catalogue))
    return 0
