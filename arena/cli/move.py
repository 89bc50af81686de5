"""``arena move PLAYER POSITION``: what a player does in a position, exactly."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial

from arena import api, files
from arena.cli.common.fields import add_game
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.errors import UsageError
from arena.game import Game
from arena.games.contract import parsed
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof import values
from arena.records.proofs import MoveReport


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help="a stateless player")
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="a letter a square, as in _xo_x_o__; - reads them from standard input, one a line",
    )
    add_game(parser)
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the probability of every move, and its value where the game is solved."""
    from arena.executors.apart import map_apart

    output = Output(arguments, catalogue)
    player = api.get_player(arguments.player, catalogue)
    game = api.get_game(arguments.game, catalogue)
    player.require(game)

    positions = _positions(arguments.position)
    output.write_all(map_apart(partial(_report, player, game), positions))
    return 0


def _report(player: PlayerInfo, game: Game, numbered: tuple[int, str]) -> MoveReport:
    line, text = numbered
    try:
        position = parsed(game, text)
    except UsageError as error:
        raise UsageError(f"line {line}: {error}" if line else str(error)) from error
    moves = api.distribution(player, position)
    return MoveReport(
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


def _positions(position: str) -> list[tuple[int, str]]:
    """The positions with their lines on standard input, 0 for one that was given."""
    if position != "-":
        return [(0, position)]
    lines = files.lines_of(sys.stdin, files.MAX_BYTES) if sys.stdin is not None else ()
    texts = ((number, line.strip("\ufeff \t\r\n")) for number, line in enumerate(lines, 1))
    try:
        return [(number, text) for number, text in texts if text]
    except UsageError as error:
        raise UsageError(f"standard input: {error}") from error
