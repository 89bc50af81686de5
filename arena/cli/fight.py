"""``arena fight A B``: n pairs of games between two players."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from arena import api
from arena.cli.options import add_playing, options_of
from arena.cli.output import add_output
from arena.cli.playing import play_and_show
from arena.commands import Commands
from arena.markers import hookimpl
from arena.plugin import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, as listed by: arena players; or ./bot.py")
    parser.add_argument("b", metavar="B", help="the opponent")
    parser.add_argument(
        "--exact", action="store_true", help="compare with the exact result of the pairing"
    )
    add_playing(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the result; 4 if it could not be completed."""
    from arena.executors.apart import run_apart

    a, b = (api.get_player(name, catalogue) for name in (arguments.a, arguments.b))
    game = api.get_game(arguments.game, catalogue)
    exact = None
    if arguments.exact:
        exact = run_apart(partial(api.exact, a, b, game=game, catalogue=catalogue))
    return play_and_show(
        lambda on_progress: api.fight(
            a, b, **options_of(arguments), catalogue=catalogue, on_progress=on_progress
        ),
        arguments,
        catalogue,
        (lambda played: api.compare(played, exact)) if exact else None,
    )


@hookimpl
def arena_add_command(commands: Commands) -> None:
    commands.add("fight", "play two players against each other", configure, run)
