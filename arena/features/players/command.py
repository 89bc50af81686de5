"""``arena players``: list the players."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

import arena
from arena.cli.output import Output, add_one_of

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_one_of(parser, "player")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the players and the plugins that were left out, or one player."""
    output, name = Output(arguments, catalogue), arguments.player
    if name is None:
        output.write(arena.installed_players(catalogue))
    else:
        output.write(arena.describe_player(name, catalogue))
    return 0
