"""``arena tournament``: everybody against everybody, or one against all."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_playing, options_of
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import add_output
from arena.cli.common.playing import play_and_show
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="who takes part (default: every installed player that plays the game)",
    )
    parser.add_argument("--gauntlet", metavar="PLAYER", help="this player against all the others")
    add_playing(parser)
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the tables; 4 if a fight could not be completed."""
    return play_and_show(
        lambda: api.tournament(
            arguments.players,
            gauntlet=arguments.gauntlet,
            **options_of(arguments),
            catalogue=catalogue,
        ),
        arguments,
        catalogue,
    )
