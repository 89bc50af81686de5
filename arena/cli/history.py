"""``arena history PLAYER``: what the nightly checks found of a player over time."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, require_store, store
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a player that was checked")
    parser.add_argument("--game", metavar="GAME", help="only at this game")
    add_fields(parser, {"store": store("the store that arena regress --store kept its nights in")})
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print every verdict on the player, the oldest first."""
    output = Output(arguments, catalogue)
    output.write(api.history(require_store(arguments), arguments.player, arguments.game))
    return 0
