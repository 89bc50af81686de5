"""``arena plan A B``: how many games and minutes a wished certainty will take."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, field, options_of, shared, whole
from arena.cli.common.hypotheses import hypotheses, number
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue
from arena.stats.plan_ranks import MAX_ENTRANTS


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, as listed by: arena players; or ./bot.py")
    parser.add_argument("b", metavar="B", help="the opponent")
    n = field(
        "-n",
        type=whole(1, 10**6),
        default=api.TRIAL_PAIRS,
        metavar="N",
        help=f"pairs of the trial that is played first (default: {api.TRIAL_PAIRS})",
    )
    error = field(
        "--error",
        type=number,
        default=api.ERROR,
        metavar="ELO",
        help=f"the error that an estimate may have (default: {api.ERROR:g})",
    )
    loss_rate = field(
        "--loss-rate",
        type=number,
        default=api.LOSS_RATE,
        metavar="P",
        help="the loss rate that is to be excluded of a player that never loses"
        f" (default: {api.LOSS_RATE:g})",
    )
    entrants = field(
        "--entrants",
        type=whole(2, MAX_ENTRANTS),
        metavar="N",
        help="plan a round robin too, of N players that are to have distinct ranks",
    )
    apart = field(
        "--apart",
        type=number,
        default=api.APART,
        metavar="ELO",
        help=f"how far each of them is from the next one (default: {api.APART:g})",
    )
    wished = {"n": n, **hypotheses(0, 10), "error": error, "loss_rate": loss_rate}
    wished |= {"entrants": entrants, "apart": apart}
    add_fields(parser, {**wished, **shared("game", "seed", "workers", "executor")})
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play the trial and print the plan."""
    output = Output(arguments, catalogue)
    options = options_of(arguments)
    output.write(api.plan(arguments.a, arguments.b, **options, catalogue=catalogue))
    return 0
