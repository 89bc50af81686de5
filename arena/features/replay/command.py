"""``arena replay ID``: one game of a fight again, or a saved game, board by board."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.last import is_number, named_game
from arena.cli.output import Output, add_output
from arena.errors import quoted
from arena.features.replay.options import ReplayOptions
from arena.plugin.catalogue import Catalogue
from arena.seats import MAX_SEATS
from arena.signatures import declared

#: The short ids, as the help of commands explains them.
SHORT_IDS = (
    "3 for the third game of the last result shown in this folder, last for its last game,"
    " last-loss or last-forfeit for the first one lost or forfeited"
)


#: The sides and the seats at a table, as the user names them.
SIDE_WORDS, SEAT_NUMBERS = ("first", "second"), tuple(map(str, range(1, MAX_SEATS + 1)))


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_id(parser)
    fields = fields_of(declared(ReplayOptions))
    record = fields.pop("record")
    add_fields(parser, fields)
    parser.add_argument(
        "--seen-by",
        type=_seat,
        metavar="SIDE",
        help="show what this side knew, and nothing else, in a game with secrets: first, second, or"
        f" the number of a seat at a table, 1 to {MAX_SEATS}",
    )
    add_fields(parser, {"record": record})
    add_output(parser)
    add_isolation(parser)


def add_id(parser: ArgumentParser) -> None:
    """Add the argument that names a game."""
    parser.add_argument(
        "game",
        metavar="ID",
        help=f"{SHORT_IDS}; or GAME/A/B/SEED/PAIR.1 for the game of that pair in which A moved"
        " first, .2 for B; PAIR is table/PAIR or batch/PAIR if that was the fight's engine; or the"
        " file of a saved game, FILE:LINE for one of several",
    )


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the game's boards, with -v a player's traceback too."""
    output = Output(arguments, catalogue)
    game, options = arguments.game, {**options_of(arguments), "catalogue": catalogue}
    if "store" not in options or not is_number(game):
        game, options["players"], options["catalogue"] = named_game(game, arguments, catalogue)
    report = arena.replay(game, **options)
    seat = arguments.seen_by
    output.write(report if seat is None else report.seen_by(seat))
    return 0


def _seat(word: str) -> int:
    """Return the seat that a word names. Raises ArgumentTypeError for any other."""
    if word in SIDE_WORDS:
        return SIDE_WORDS.index(word)
    if word in SEAT_NUMBERS:
        return SEAT_NUMBERS.index(word)
    raise ArgumentTypeError(f"a side is first, second, or 1 to {MAX_SEATS}, not {quoted(word)}")
