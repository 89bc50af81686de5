"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.output import Output, add_output
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
    found = api.installed_games(catalogue) if game is None else api.describe_game(game, catalogue)
    output.write(found)
    return 0
