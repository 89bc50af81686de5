"""``arena tournament``: all against all, one against all, or round by round."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, cast

import arena
from arena import escape
from arena.cli.each import add_each, with_each
from arena.cli.factories import add_factory, with_factory
from arena.cli.fields import add_fields, fields_of, options_of, store, without_defaults
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet, with_sheet
from arena.features.methods.explanation import add_explain, explain
from arena.features.tournament.function import arrange, play_arranged
from arena.inputs.options import PARAMETER_OPTIONS, TournamentOptions
from arena.model.defaults import STORE
from arena.plugin.catalogue import Catalogue
from arena.records.played import Played
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the players, also as NAME=PLAYER; a folder of players; or a contest file,"
        " contest.toml (default: every installed player that plays the game)",
    )
    fields = fields_of(PARAMETER_OPTIONS | declared(TournamentOptions)) | {"store": store()}
    add_fields(parser, without_defaults(fields))
    add_each(parser)
    add_factory(parser)
    add_isolation(parser)
    add_sheet(parser)
    add_explain(parser)
    add_output(parser)


def _with_each(arguments: Namespace, catalogue: Catalogue) -> tuple[list[str], Catalogue]:
    """Return the players with the options of ``--each``, and give them to a gauntlet's player."""
    players = with_factory(arguments.players, arguments.factory, catalogue)
    word, _, player = (arguments.schedule or "").partition(":")
    challenger = player if word == "gauntlet" else arguments.gauntlet
    if not challenger:
        return with_each(players, arguments.each, catalogue)
    named = [*players, challenger]
    (*players, challenger), catalogue = with_each(named, arguments.each, catalogue)
    if word == "gauntlet":
        arguments.schedule = f"{word}:{challenger}"
    else:
        arguments.gauntlet = challenger
    return players, catalogue


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the tables. Return 3 without an answer to a question, 4 for an open fight."""
    players, catalogue = _with_each(arguments, catalogue)
    entered = arena.enter(players, catalogue)
    for line in entered.left_out:
        print(f"arena: {escape.line(line)}", file=sys.stderr)
    contest = entered.contest
    if contest is not None:
        arguments.output = arguments.output or contest.output or None
        arguments.format = arguments.format or contest.format or None
        arguments.table = arguments.table or contest.table or None
    options = {**options_of(arguments), "catalogue": catalogue}
    if contest is None or "store" not in contest.options:
        options.setdefault("store", os.environ.get(STORE) or None)
    output = Output(arguments, catalogue)
    explain(arguments, output)
    options = with_sheet(arguments, options, output)
    with interruptible(output):
        played = _play(players, **options)
    return show(output, played)


def _play(
    players: Sequence[str],
    n: int | None = None,
    gauntlet: str | None = None,
    schedule: str | None = None,
    **options: Any,
) -> Played:
    """Play a tournament of pairings, or of tables, as its game has it."""
    arranged = arrange(players, n, gauntlet, schedule, options=cast("TournamentOptions", options))
    return play_arranged(arranged)
