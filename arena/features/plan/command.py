"""``arena plan A B``: how many games and minutes you need for the confidence you want.

``arena plan --until best --elos 60,40,0`` does the same of a tournament, without its players.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, field, number, options_of, shared, whole
from arena.cli.hypotheses import hypotheses
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.features.plan.function import (
    DEFAULT_APART,
    DEFAULT_ERROR,
    DEFAULT_LOSS_RATE,
    DEFAULT_TRIAL_PAIRS,
)
from arena.features.plan.tournaments import DEFAULT_DRAWS
from arena.inputs.options import DEFAULT_CAP
from arena.model.defaults import DEFAULT_EXECUTOR, DEFAULT_MARGIN
from arena.plugin.catalogue import Catalogue
from arena.records.answers import TournamentPlan
from arena.stats.plan_ranks import MAX_PLANNED_ENTRANTS


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "a", nargs="?", metavar="A", help="a player, as listed by: arena players; or ./bot.py"
    )
    parser.add_argument("b", nargs="?", metavar="B", help="the opponent")
    n = field(
        "-n",
        type=whole(1, 10**6),
        metavar="N",
        help="number of pairs in the trial that is played first (default:"
        f" {DEFAULT_TRIAL_PAIRS}); with --until the maximum number of pairs per"
        f" pairing (default: {DEFAULT_CAP})",
    )
    error = field(
        "--error",
        type=number,
        default=DEFAULT_ERROR,
        metavar="ELO",
        help=f"the error that you accept in an estimate (default: {DEFAULT_ERROR:g})",
    )
    loss_rate = field(
        "--loss-rate",
        type=number,
        default=DEFAULT_LOSS_RATE,
        metavar="P",
        help="the loss rate to rule out for a player that does not lose"
        f" (default: {DEFAULT_LOSS_RATE:g})",
    )
    entrants = field(
        "--entrants",
        type=whole(2, MAX_PLANNED_ENTRANTS),
        metavar="N",
        help="also plan a round robin that separates the ranks of N players",
    )
    apart = field(
        "--apart",
        type=number,
        default=DEFAULT_APART,
        metavar="ELO",
        help=f"the distance from each of them to the next (default: {DEFAULT_APART:g})",
    )
    wanted = {"n": n, **hypotheses(0, 10), "error": error, "loss_rate": loss_rate}
    wanted |= {"entrants": entrants, "apart": apart}
    add_fields(parser, {**wanted, **shared("game", "seed", "workers", "executor")})
    _add_tournament(parser)
    add_isolation(parser)
    add_output(parser)


def _add_tournament(parser: ArgumentParser) -> None:
    """Add the arguments of a tournament that is planned."""
    group = parser.add_argument_group("a tournament until a question is answered, without A and B")
    group.add_argument("--until", metavar="QUESTION", help="best, top:K or order")
    group.add_argument(
        "--elos", type=_numbers, metavar="ELO,ELO,...", help="the ratings of all players"
    )
    group.add_argument(
        "--draws",
        type=number,
        metavar="SHARE",
        help=f"the share of draws between equal players (default: {DEFAULT_DRAWS:g})",
    )
    group.add_argument(
        "--margin",
        type=number,
        metavar="M",
        help="as for arena tournament (default: " + f"{DEFAULT_MARGIN:g})",
    )


def _numbers(text: str) -> list[float]:
    """Return an argument type: numbers with commas between them."""
    return [number(part) for part in text.split(",")]


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play the trial, or simulate the tournament, and print the plan."""
    output = Output(arguments, catalogue)
    if arguments.until is not None:
        output.write(_tournament(arguments))
        return 0
    for name in ("elos", "draws", "margin"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} goes with --until")
    if arguments.b is None:
        raise UsageError("a plan takes two players, or --until with --elos")
    options = options_of(arguments)
    output.write(arena.plan(arguments.a, arguments.b, **options, catalogue=catalogue))
    return 0


def _tournament(arguments: Namespace) -> TournamentPlan:
    if arguments.a is not None:
        raise UsageError("--until takes --elos in place of players")
    if arguments.elos is None:
        raise UsageError("--until takes the ratings of all players, as in --elos 60,40,0")
    if arguments.workers is not None or arguments.executor != DEFAULT_EXECUTOR:
        raise UsageError("--until simulates here and plays nothing: leave -j and --executor out")
    given = {name: getattr(arguments, name) for name in ("n", "margin", "alpha", "draws", "seed")}
    options = {name: value for name, value in given.items() if value is not None}
    return arena.plan_tournament(arguments.elos, arguments.until, **options)
