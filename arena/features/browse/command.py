"""``arena browse``: the games of a store, with their moves."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, runs_of, store_of
from arena.features.browse.function import PLAYER_RESULTS
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "runs (default: all)")
    parser.add_argument("--player", metavar="NAME", help="only games of this player")
    results = parser.add_mutually_exclusive_group()
    for result in PLAYER_RESULTS:
        results.add_argument(
            f"--{result}",
            action="store_const",
            const=result,
            dest="result",
            help=f"only games that the player has {result}",
        )
    parser.add_argument(
        "--reason",
        metavar="REASON",
        help="only games that ended by a forfeit of this kind, such as timeout",
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the games, also while a run writes."""
    output = Output(arguments, catalogue)
    output.write_games(
        arena.browse(
            store_of(arguments),
            runs_of(arguments),
            player=arguments.player,
            result=arguments.result,
            reason=arguments.reason,
            catalogue=catalogue,
        )
    )
    return 0
