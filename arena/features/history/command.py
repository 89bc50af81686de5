"""``arena history``: what the nightly checks found of a player, or the steps of a training run."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, field_of, options_of
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, refuse_runs, store_of
from arena.errors import UsageError, quoted
from arena.inputs.stored_options import StoredGameOption
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared
from arena.urls import is_store


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "player", nargs="?", metavar="PLAYER", help="a player that was checked; none with --by step"
    )
    parser.add_argument(
        "--by",
        choices=["check", "step"],
        default="check",
        help="step: the ratings of players with a step in their names, such as step-1000, which"
        " played in any runs (default: check)",
    )
    game = declared(StoredGameOption)["game"]
    add_fields(parser, {"game": field_of(game, help="show only this game")})
    add_stored(parser, "")
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print every verdict on the player, the oldest first."""
    output, options = Output(arguments, catalogue), options_of(arguments)
    refuse_runs(arguments)
    if arguments.by == "step":
        if arguments.player is not None:
            arguments.words.insert(0, arguments.player)
        output.write(arena.step_history(store_of(arguments), catalogue=catalogue, **options))
        return 0
    if arguments.player is None:
        raise UsageError("name a player that was checked, or add --by step")
    if is_store(arguments.player):
        meant = f"arena history PLAYER --store {shlex.quote(arguments.player)}"
        raise UsageError(f"{quoted(arguments.player)} is a store, not a player: {meant}")
    output.write(arena.history(store_of(arguments), arguments.player, **options))
    return 0
