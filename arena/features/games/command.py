"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_one_of
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_one_of(parser, "game")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the families of games, or one game."""
    output, game = Output(arguments, catalogue), arguments.game
    if game is None:
        output.write(arena.installed_games(catalogue, details=bool(arguments.verbose)))
    else:
        output.write(arena.describe_game(game, catalogue))
    return 0
