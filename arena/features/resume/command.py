"""``arena resume STORE``: continue a run that was interrupted, killed, or cut short."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import Field, add_fields, field, options_of, shared
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet
from arena.cli.stores import add_stored, run_of, store_of
from arena.features.resume.function import CHANGED, run_to_resume
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "a run (default: the last incomplete one, or the last)")
    changed_players = field(
        "--changed-players",
        choices=CHANGED,
        default="refuse",
        metavar="WHAT",
        help="when a player's code has changed: refuse (the default), keep the games it has played,"
        " or replay its fights",
    )
    add_fields(parser, {**growing(), "changed_players": changed_players})
    add_fields(parser, shared("workers", "executor"))
    add_isolation(parser)
    add_sheet(parser)
    add_output(parser)


def growing() -> dict[str, Field]:
    """Return the options that have players come to a tournament and leave it."""
    texts = {
        "add": ("PLAYER", "add this player; may be given again"),
        "replace": ("OLD=NEW", "replace OLD by NEW; the games of OLD no longer count"),
        "withdraw": ("PLAYER", "remove this player; its games no longer count"),
    }
    return {
        name: field(f"--{name}", action="append", metavar=metavar, help=text)
        for name, (metavar, text) in texts.items()
    }


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play what is missing and print what the run's command would have printed."""
    options = {**options_of(arguments), "catalogue": catalogue}
    output = Output(arguments, catalogue)
    store = store_of(arguments)
    run, table = run_to_resume(store, run_of(arguments)), arguments.table
    if table is not None:
        output.present = lambda _: arena.stored_sheet(store, table, run, catalogue)
    with interruptible(output):
        played = arena.resume(store, run, **options)
    return show(output, played)
