"""``arena resume STORE``: go on with a run that was interrupted, killed, or cut short."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_workers, whole
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import add_output
from arena.cli.common.playing import play_and_show
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", metavar="STORE", help="the file that --store named")
    parser.add_argument(
        "run",
        nargs="?",
        type=whole(1, 2**31),
        metavar="RUN",
        help="its number, as listed by: arena runs (default: the last that is not complete, or else"
        " the last)",
    )
    parser.add_argument(
        "--changed-players",
        choices=api.CHANGED,
        default="refuse",
        metavar="WHAT",
        help="when a player's code has changed: refuse (the default), keep the games it has played,"
        " or replay its fights",
    )
    add_workers(parser)
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play what is missing and print what the run's command would have printed."""
    return play_and_show(
        lambda: api.resume(
            arguments.store,
            arguments.run,
            changed_players=arguments.changed_players,
            workers=arguments.workers,
            executor=arguments.executor,
            catalogue=catalogue,
        ),
        arguments,
        catalogue,
    )
