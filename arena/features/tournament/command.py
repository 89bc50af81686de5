"""``arena tournament``: all against all, one against all, or round by round."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

import arena
from arena import escape
from arena.cli.explained import add_explain, explain
from arena.cli.fields import Field, add_fields, field, options_of, playing, without_defaults
from arena.cli.hypotheses import number
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet, with_sheet
from arena.plugin.catalogue import Catalogue
from arena.records.answers import DEFAULT_MARGIN
from arena.records.commands import STORE
from arena.records.intervals import DEFAULT_ALPHA


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the players, also as NAME=PLAYER; a folder of players; or a contest file,"
        " contest.toml (default: every installed player that plays the game)",
    )
    own = {
        "schedule": field(
            "--schedule",
            metavar="WHICH",
            help="round-robin, gauntlet:PLAYER, swiss:R, knockout, or a plugin"
            " (default: round-robin)",
        ),
        "gauntlet": field(
            "--gauntlet", metavar="PLAYER", help="short for --schedule gauntlet:PLAYER"
        ),
    }
    add_fields(parser, without_defaults({**own, **_question(), **playing()}))
    add_isolation(parser)
    add_sheet(parser)
    add_explain(parser)
    add_output(parser)


def _question() -> dict[str, Field]:
    """Return the options of a tournament that ends when a question is answered."""
    return {
        "until": field(
            "--until",
            metavar="QUESTION",
            help="play a round robin until it is sure which player is best, which K are (top:K),"
            " or the whole order; -n is then the maximum number of pairs per pairing",
        ),
        "margin": field(
            "--margin",
            type=number,
            metavar="M",
            help="with --until: players whose mean scores differ by at most M need not be told"
            f" apart, in points per game (default: {DEFAULT_MARGIN:g})",
        ),
        "alpha": field(
            "--alpha",
            type=number,
            metavar="P",
            help=f"with --until: probability of a wrong answer (default: {DEFAULT_ALPHA:g})",
        ),
    }


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the tables. Return 3 without an answer to a question, 4 for an open fight."""
    entered = arena.enter(arguments.players, catalogue)
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
        played = arena.tournament(arguments.players, **options)
    return show(output, played)
