"""``arena move PLAYER POSITION``: what a player does in a position, exactly."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from arena import api, files
from arena.cli.common.fields import add_fields, options_of, shared
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.errors import UsageError
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a stateless player")
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="a letter a square, as in _xo_x_o__; - reads them from standard input, one a line",
    )
    add_fields(parser, shared("game"))
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the probability of every move, and its value where the game is solved."""
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    if arguments.position == "-":
        output.write_all(api.moves(arguments.player, _lines(), **options))
    else:
        output.write(api.move(arguments.player, arguments.position, **options))
    return 0


def _lines() -> list[str]:
    """Return the lines on standard input. Raises UsageError for more than anybody asks about."""
    try:
        return list(files.lines_of(sys.stdin, files.MAX_BYTES)) if sys.stdin is not None else []
    except UsageError as error:
        raise UsageError(f"standard input: {error}") from error
