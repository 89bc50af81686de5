"""``arena history PLAYER``: what the nightly checks found of a player over time."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, refuse_runs, store_of
from arena.errors import UsageError, quoted
from arena.plugin.catalogue import Catalogue
from arena.urls import is_store


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a player that was checked")
    parser.add_argument("--game", metavar="GAME", help="show only this game")
    add_stored(parser, "")
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print every verdict on the player, the oldest first."""
    output = Output(arguments, catalogue)
    refuse_runs(arguments)
    if is_store(arguments.player):
        meant = f"arena history PLAYER --store {shlex.quote(arguments.player)}"
        raise UsageError(f"{quoted(arguments.player)} is a store, not a player: {meant}")
    output.write(arena.history(store_of(arguments), arguments.player, arguments.game))
    return 0
