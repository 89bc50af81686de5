"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the families of games."""
    Output(arguments, catalogue).write(api.installed_games(catalogue))
    return 0
