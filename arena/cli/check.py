"""``arena check PLAYER``: whether a player keeps its contract."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, field, options_of, shared, whole
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "player",
        metavar="PLAYER",
        help="a player, as listed by: arena players; ./bot.py, cmd:./bot",
    )
    positions = field(
        "--positions",
        type=whole(1, 10**9),
        metavar="N",
        help="ask at this many positions (default: all of a small game, 1000 of a larger one)",
    )
    patience = field(
        "--patience",
        type=whole(1, 10**6),
        default=api.MAX_ANSWER_SECONDS,
        metavar="S",
        help=f"seconds allowed for one answer (default: {api.MAX_ANSWER_SECONDS:g})",
    )
    timed = field(
        "--time", action="store_true", help="show how long a move takes, too, which varies"
    )
    own = {"positions": positions, "patience": patience, "timed": timed}
    add_fields(parser, {**shared("game", "seed"), **own})
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the findings; 0 if everything holds that must, 1 if not."""
    output = Output(arguments, catalogue)
    with progress.shown():
        report = api.check(arguments.player, **options_of(arguments), catalogue=catalogue)
    output.write(report)
    return 0 if report.conforms else 1
