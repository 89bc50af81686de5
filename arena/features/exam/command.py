"""``arena exam PLAYER``: how much the moves of a player cost, at questions with known answers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.features.exam.options import ExamOptions
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players", nargs="+", metavar="PLAYER", help="who sits the exam: several are compared"
    )
    add_fields(parser, fields_of(declared(ExamOptions)))
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the mean regret of each player, and the answers that cost most."""
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    with progress.display():
        if len(arguments.players) == 1:
            output.write(arena.exam(arguments.players[0], **options))
        else:
            output.write(arena.exams(arguments.players, **options))
    return 0
