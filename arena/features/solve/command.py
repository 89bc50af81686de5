"""``arena solve GAME``: the value of a game under perfect play, with a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import Field, add_fields, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.features.solve.options import SolveOptions
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help="the game, as listed by: arena games")
    position = "solve this position (default: the start)"
    add_fields(parser, {"position": Field("--position", {"metavar": "P", "help": position})})
    add_fields(parser, fields_of(declared(SolveOptions)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the value. Return 3 if the game is too large to be solved."""
    output = Output(arguments, catalogue)
    with progress.shown():
        report = arena.solve(arguments.game, **options_of(arguments), catalogue=catalogue)
    output.write(report)
    return 0
