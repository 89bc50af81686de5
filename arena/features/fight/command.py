"""``arena fight A B``: n pairs of games between two players."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

import arena
from arena.cli.each import add_each, with_each
from arena.cli.factories import add_factory, with_factory
from arena.cli.fields import add_fields, fields_of, options_of, playing, without_defaults
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.parser import unknown
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet, with_sheet
from arena.errors import UsageError
from arena.features.fight.options import QuestionOptions
from arena.features.methods.explanation import add_explain, explain
from arena.inputs.options import DEFAULT_CAP, HypothesisOptions
from arena.inputs.resolve import DEFAULT_GAME, get_game
from arena.signatures import declared

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, as listed by: arena players; or ./bot.py")
    parser.add_argument("b", metavar="B", help="the opponent")
    parser.add_argument(
        "others",
        nargs="*",
        metavar="C",
        help="more opponents, in a game for more than two: as many players as it has seats",
    )
    parser.add_argument(
        "--exact", action="store_true", help="compare with the exact result of the pairing"
    )
    parser.add_argument(
        "--sprt",
        action="store_true",
        help="play until a sequential test decides between elo0 and elo1, A's Elo against B;"
        f" -n is then the maximum number of pairs (default: {DEFAULT_CAP})",
    )
    rules = fields_of(declared(HypothesisOptions) | declared(QuestionOptions))
    add_fields(parser, {**without_defaults(rules), **playing()})
    add_each(parser)
    add_factory(parser)
    add_isolation(parser)
    add_sheet(parser)
    add_explain(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the result. Return 4 if it is not complete, else 0, 1 or 3 as a rule says."""
    _refuse_rules(arguments, catalogue)
    play: Callable[..., Played | CheckedFight] = (
        arena.checked_fight if arguments.exact else arena.fight
    )
    if arguments.sprt:
        play = arena.sprt_fight
    elif arguments.until is not None:
        play = arena.until_fight
    named = with_factory(
        (arguments.a, arguments.b, *arguments.others), arguments.factory, catalogue
    )
    (a, b, *others), catalogue = with_each(named, arguments.each, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    output = Output(arguments, catalogue)
    explain(arguments, output)
    options = with_sheet(arguments, options, output)
    with interruptible(output):
        played = arena.table_fight([a, b, *others], **options) if others else play(a, b, **options)
    return show(output, played)


def _refuse_rules(arguments: Namespace, catalogue: Catalogue) -> None:
    """Raise UsageError if an option was given without the rule that it goes with."""
    if (
        arguments.others
        and (game := get_game(arguments.game or DEFAULT_GAME, catalogue)).seats == 2
    ):
        raise UsageError(
            f"{unknown(arguments.others[0], ['--store'])}: {game.name} is for two players (arena"
            " tournament lets more of them meet)"
        )
    rules = {"--exact": arguments.exact, "--sprt": arguments.sprt}
    rules["--until"] = arguments.until is not None
    if arguments.others and (rule := next((name for name in rules if rules[name]), None)):
        raise UsageError(f"{rule} is for two players, and {2 + len(arguments.others)} are named")
    if arguments.sprt and arguments.until is not None:
        raise UsageError("--sprt and --until are two rules: leave one of them out")
    if arguments.exact and (arguments.sprt or arguments.until is not None):
        rule = "--sprt" if arguments.sprt else "--until"
        raise UsageError(f"--exact needs no test: it takes the place of {rule}")
    if arguments.until is None and arguments.margin is not None:
        raise UsageError("--margin goes with --until")
    shared = ("alpha",) if arguments.until is not None else ()
    for name in declared(HypothesisOptions):
        if not arguments.sprt and name not in shared and getattr(arguments, name) is not None:
            raise UsageError(f"--{name} goes with --sprt{' or --until' * (name == 'alpha')}")
