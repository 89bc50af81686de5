"""``arena move PLAYER POSITION``: what a player does in a position, exactly."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

import arena
from arena import files
from arena.cli.fields import add_fields, field_of, options_of, shared
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.running import FAULT
from arena.errors import UsageError
from arena.inputs.proof_options import AskOptions
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a stateless player")
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="one letter per square, as in _xo_x_o__; - reads one position per line of standard"
        " input",
    )
    options = declared(AskOptions)
    text = "ask what arena check --seed S asks here, and show the answer"
    repeats = {
        "seed": field_of(options["seed"], help=text),
        "times": field_of(options["times"], default=None),
    }
    add_fields(parser, {**shared("game"), **repeats})
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the probability of every move, and its value where the game is solved.

    With a seed print the answers instead: 1 if they differ, 4 if the player fails.
    """
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    if arguments.seed is not None or arguments.times is not None:
        if arguments.position == "-":
            raise UsageError("--seed and --repeat are about one position, not standard input")
        with progress.display():
            answers = arena.plugin.ask(arguments.player, arguments.position, **options)
        output.write(answers)
        return FAULT if answers.faults else 1 - answers.is_one
    if arguments.position == "-":
        output.write_all(arena.moves(arguments.player, _lines(), **options))
    else:
        with progress.display():
            report = arena.move(arguments.player, arguments.position, **options)
        output.write(report)
    return 0


def _lines() -> list[str]:
    """Return the lines on standard input. Raises UsageError for too many."""
    try:
        return (
            list(files.lines_of(sys.stdin, files.MAX_FILE_BYTES)) if sys.stdin is not None else []
        )
    except UsageError as error:
        raise UsageError(f"standard input: {error}") from error
