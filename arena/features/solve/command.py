"""``arena solve GAME``: the value of a game under perfect play, with a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, field, options_of, shared, whole
from arena.cli.output import Output, add_output
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help="the game, as listed by: arena games")
    fields = {
        "position": field(
            "--position", metavar="P", help="solve this position (default: the start)"
        ),
        "certificate": field(
            "--certificate",
            metavar="FILE",
            help="write moves that prove the value; arena certify --check FILE verifies them",
        ),
        "checkpoint": field(
            "--checkpoint",
            metavar="FOLDER",
            help="save the state of a long search here, and resume from it",
        ),
        "max_positions": field(
            "--max-positions",
            type=whole(1, 10**9),
            metavar="N",
            help="give up after this many positions (default: as many as fit into a gigabyte)",
        ),
        **shared("max_seconds"),
        "plies": field(
            "--value-only",
            action="store_false",
            help="find only the value, not after how many plies the game ends",
        ),
    }
    add_fields(parser, fields)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the value. Return 3 if the game is too large to be solved."""
    output = Output(arguments, catalogue)
    with progress.shown():
        report = arena.solve(arguments.game, **options_of(arguments), catalogue=catalogue)
    output.write(report)
    return 0
