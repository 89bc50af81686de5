"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="show all that is known of this one"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the families of games, or one game."""
    output, game = Output(arguments, catalogue), arguments.game
    if game is None:
        output.write(arena.installed_games(catalogue, details=bool(arguments.verbose)))
    else:
        output.write(arena.describe_game(game, catalogue))
    return 0
