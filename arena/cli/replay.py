"""``arena replay ID``: one game of a fight again, or a saved game, board by board."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_id(parser)
    parser.add_argument(
        "--store", metavar="FILE", help="show the game as it was played, from this store"
    )
    add_output(parser)
    add_isolation(parser)


def add_id(parser: ArgumentParser) -> None:
    """Add the argument that names a game."""
    parser.add_argument(
        "game",
        metavar="ID",
        help="GAME/A/B/SEED/PAIR.1 for the game of that pair in which A moved first, .2 for B;"
        " PAIR is table/PAIR if the fight's engine was table; or the file of a saved game",
    )


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the game's boards; with -v a player's traceback too."""
    output = Output(arguments, catalogue)
    if arguments.store is None:
        output.write(api.replay(arguments.game, catalogue=catalogue))
    else:
        output.write(api.replay_stored(arguments.store, arguments.game, catalogue))
    return 0
