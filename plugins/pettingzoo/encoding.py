"""Write what a seat knows of arena's own games as arrays, for policies that are functions of those.

======================================  ================================================
the game                                the array
======================================  ================================================
a board of marks or discs, all open     a plane a seat: ``rows x columns x seats`` of 0
                                        and 1, the seat's own plane first
words that a seat saw, as at poker      the numbers of the words, from 1, then zeros
any other                               the bytes of its text, then zeros
======================================  ================================================
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from arena.errors import MoveError, UsageError, quoted
from arena.game import MAX_MOVE, Game, Observation, Position
from arena.games.words import WordGame, WordView
from arena.seats import SEAT_LETTERS

#: The most bytes of a text.
MAX_TEXT_BYTES = 1024

#: The looks of boards on which every square is free or a seat's.
_LOOKS = ("marks", "discs", "holes", "hexagons")


class Encoding(NamedTuple):
    """The form of a game's arrays."""

    #: ``planes``, ``words`` or ``text``.
    kind: str
    shape: tuple[int, ...]
    #: The largest number of the array, from 0, and its type.
    most: int
    dtype: Any


@cache
def encoding_of(game: Game) -> Encoding:
    """Return the form of a game's arrays."""
    start = game.start()
    if not (start.has_secrets or start.has_luck):
        board = start.diagram()
        if board is not None and board.look in _LOOKS:
            return Encoding("planes", (board.rows, board.columns, game.seats), 1, np.int8)
    if isinstance(game, WordGame) and isinstance(start.observation(0), WordView):
        return Encoding("words", (game.max_plies,), len(game.words), np.int32)
    return Encoding("text", (MAX_TEXT_BYTES,), 255, np.uint8)


def encoded(seen: Observation | Position, seat: int) -> Any:
    """Return the array of what a seat knows."""
    form = encoding_of(seen.game)
    if form.kind == "planes":
        assert isinstance(seen, Position)
        return _planes(seen, seat, form)
    array = np.zeros(form.shape, form.dtype)
    if form.kind == "words":
        assert isinstance(seen, WordView)
        numbers = [seen.game.parse_move(word) + 1 for word in seen.events]
    else:
        numbers = list(str(seen).encode())
    if len(numbers) > len(array):
        raise UsageError(
            f"a text of {quoted(seen.game.name)} is longer than {MAX_TEXT_BYTES} bytes"
        )
    array[: len(numbers)] = numbers
    return array


def _planes(position: Position, seat: int, form: Encoding) -> Any:
    board = position.diagram()
    assert board is not None
    cells = np.array(list(board.cells)).reshape(form.shape[:2])
    seats = [(seat + step) % form.shape[2] for step in range(form.shape[2])]
    return np.stack([cells == SEAT_LETTERS[each] for each in seats], axis=2).astype(form.dtype)


@cache
def number_of_actions(game: Game) -> int:
    """Return one more than the largest number of a move that the game writes and reads back.

    >>> from arena.games.mnk import mnk_game
    >>> number_of_actions(mnk_game(3, 3, 3))
    9
    """
    actions = int(getattr(game, "actions", 0))  # a library knows its own
    return actions or 1 + max(
        (move for move in range(MAX_MOVE + 1) if _is_move(game, move)), default=0
    )


def _is_move(game: Game, move: int) -> bool:
    try:
        return game.parse_move(game.format_move(move)) == move
    except (MoveError, LookupError, ValueError):
        return False
