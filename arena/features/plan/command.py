"""``arena plan A B``: how many games and minutes you need for the confidence you want.

``arena plan --until best --elos 60,40,0`` does the same of a tournament, without its players.
``arena plan --volunteers 0.01`` says how much of what volunteers send you should play again.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, add_flags, fields_of, options_of, reader, without_defaults
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.features.plan.options import TRIAL_OPTION, PlanOptions, TournamentPlanOptions
from arena.features.plan.volunteers import DEFAULT_PART_COUNTS, FORGED, PART_COUNTS
from arena.fights.play import Interrupted
from arena.kinds import FINITE
from arena.model.defaults import DEFAULT_EXECUTOR
from arena.plugin.catalogue import Catalogue
from arena.records.answers import TournamentPlan, VolunteerPlan
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "a", nargs="?", metavar="A", help="a player, as listed by: arena players; or ./bot.py"
    )
    parser.add_argument("b", nargs="?", metavar="B", help="the opponent")
    add_fields(parser, fields_of({"n": TRIAL_OPTION, **declared(PlanOptions)}))
    _add_tournament(parser)
    _add_volunteers(parser)
    add_isolation(parser)
    add_output(parser)


def _add_tournament(parser: ArgumentParser) -> None:
    """Add the arguments of a tournament that is planned."""
    group = parser.add_argument_group("a tournament until a question is answered, without A and B")
    group.add_argument("--until", metavar="QUESTION", help="best, top:K or order")
    group.add_argument(
        "--elos", type=_numbers, metavar="ELO,ELO,...", help="the ratings of all players"
    )
    options = declared(TournamentPlanOptions)
    fields = fields_of({name: options[name] for name in ("draws", "margin")})
    add_flags(group, without_defaults(fields))


def _add_volunteers(parser: ArgumentParser) -> None:
    """Add the arguments of a plan of volunteers."""
    group = parser.add_argument_group("games played by volunteers, without A and B")
    group.add_argument(
        "--volunteers",
        type=reader(FORGED),
        metavar="SHARE",
        help="the share of its parts that a forger forges: find the share to play again",
    )
    group.add_argument(
        "--parts",
        type=reader(PART_COUNTS),
        metavar="N",
        help="the number of parts that it plays (default: 100 to 100000)",
    )


def _numbers(text: str) -> list[float]:
    """Return an argument type: numbers with commas between them."""
    return [reader(FINITE)(part) for part in text.split(",")]


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play the trial, or simulate the tournament, and print the plan."""
    output = Output(arguments, catalogue)
    if arguments.volunteers is not None:
        output.write(_volunteers(arguments))
        return 0
    if arguments.parts is not None:
        raise UsageError("--parts goes with --volunteers")
    if arguments.until is not None:
        output.write(_tournament(arguments))
        return 0
    for name in ("elos", "draws", "margin"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} goes with --until")
    if arguments.b is None:
        raise UsageError("a plan takes two players, or --until with --elos")
    options = options_of(arguments)
    try:
        plan = arena.plan(arguments.a, arguments.b, **options, catalogue=catalogue)
    except Interrupted as interrupted:  # a part of a trial is no trial
        raise interrupted.cause from None
    output.write(plan)
    return 0


def _volunteers(arguments: Namespace) -> VolunteerPlan:
    of_games = (arguments.a, arguments.until, arguments.elos, arguments.draws, arguments.margin)
    if any(value is not None for value in of_games):
        raise UsageError("--volunteers plans no games: leave players, --until and its options out")
    parts = DEFAULT_PART_COUNTS if arguments.parts is None else [arguments.parts]
    return arena.plan_volunteers(arguments.volunteers, parts)


def _tournament(arguments: Namespace) -> TournamentPlan:
    if arguments.a is not None:
        raise UsageError("--until takes --elos in place of players")
    if arguments.elos is None:
        raise UsageError("--until takes the ratings of all players, as in --elos 60,40,0")
    if arguments.workers is not None or arguments.executor != DEFAULT_EXECUTOR:
        raise UsageError("--until simulates here and plays nothing: leave -j and --executor out")
    names = ("n", "margin", "alpha", "draws", "seed")
    values = {name: getattr(arguments, name) for name in names}
    options = {name: value for name, value in values.items() if value is not None}
    return arena.plan_tournament(arguments.elos, arguments.until, **options)
