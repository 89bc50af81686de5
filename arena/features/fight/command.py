"""``arena fight A B``: n pairs of games between two players."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

import arena
from arena.cli.explained import add_explain, explain
from arena.cli.fields import add_fields, options_of, playing
from arena.cli.hypotheses import hypotheses, question, refuse_rules
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet, with_sheet
from arena.features.fight.function import DEFAULT_CAP

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, as listed by: arena players; or ./bot.py")
    parser.add_argument("b", metavar="B", help="the opponent")
    parser.add_argument(
        "--exact", action="store_true", help="compare with the exact result of the pairing"
    )
    parser.add_argument(
        "--sprt",
        action="store_true",
        help="play until a sequential test decides between elo0 and elo1, A's Elo against B;"
        f" -n is then the maximum number of pairs (default: {DEFAULT_CAP})",
    )
    add_fields(parser, {**hypotheses(0, 10, asks=True), **question(), **playing()})
    add_isolation(parser)
    add_sheet(parser)
    add_explain(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the result. Return 4 if it is not complete, else 0, 1 or 3 as a rule says."""
    refuse_rules(arguments)
    play: Callable[..., Played | CheckedFight] = (
        arena.checked_fight if arguments.exact else arena.fight
    )
    if arguments.sprt:
        play = arena.sprt_fight
    elif arguments.until is not None:
        play = arena.until_fight
    options = {**options_of(arguments), "catalogue": catalogue}
    output = Output(arguments, catalogue)
    explain(arguments, output)
    options = with_sheet(arguments, options, output)
    with interruptible(output):
        played = play(arguments.a, arguments.b, **options)
    return show(output, played)
