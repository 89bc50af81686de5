"""``arena move PLAYER POSITION``: what a player does in a position, exactly."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from arena import api
from arena.cli.options import add_game
from arena.cli.output import Output, add_output
from arena.commands import Commands
from arena.markers import hookimpl
from arena.plugin import Catalogue
from arena.proof import values
from arena.results import MoveReport


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a stateless player")
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="a letter a square, as in _xo_x_o__; - reads them from standard input, one a line",
    )
    add_game(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the probability of every move, and its value where the game is solved."""
    output = Output(arguments, catalogue)
    player = api.get_player(arguments.player, catalogue)
    game = api.get_game(arguments.game, catalogue)
    player.require(game)

    def reports() -> Iterator[MoveReport]:
        for text in _positions(arguments.position):
            position = game.parse(text)
            moves = api.distribution(player, position)
            yield MoveReport(
                game=game.name,
                player=player.name,
                position=str(position),
                picture=position.picture(),
                moves={game.format_move(move): chance for move, chance in moves.items()},
                values={
                    game.format_move(move): values.describe(value)
                    for move, value in values.move_values(position).items()
                },
            )

    output.write_all(reports())
    return 0


def _positions(position: str) -> Iterator[str]:
    if position != "-":
        yield position
        return
    for line in sys.stdin:
        if line.strip():
            yield line.strip()


@hookimpl
def arena_add_command(commands: Commands) -> None:
    commands.add("move", "show what a player does in a position", configure, run)
