"""Functions written for other boards as players: an adapter makes one of a function, in one line.

======= ========================================= =============================
adapter the board that the function gets          its answer
======= ========================================= =============================
rows    rows of ``"X"``, ``"O"`` and None         ``(row, column)``, from 0
word    a text of ``x``, ``o`` and ``_``          the square's number, from 1
symbols one list of ``"X"``, ``"O"`` and ``"E"``  ``(row, column)``, from 0
vector  one list of 0 for x, 1 for o, -1 for none the square's index, from 0
======= ========================================= =============================

The function is called as ``f(board)`` or ``f(board, player)``, with the mark of the side to move.
If it has a parameter ``rng`` it is given the player's generator too: chance from anywhere else
makes games that no seed gives again. It may do to its board what it likes. An answer that is not
a place on the board loses the game as an illegal move.

>>> @rows
... def last(board, player):
...     return max((i, j) for i in range(3) for j in range(3) if board[i][j] is None)
>>> last(mnk_game(3, 3, 3).start(), Random(0))
8

The other way round, :func:`read_board` reads these boards as positions.
"""

from __future__ import annotations

import inspect
import reprlib
import sys
from collections.abc import Callable, Iterable, Sized
from functools import wraps
from math import isqrt
from random import Random
from typing import Any

from arena.errors import (
    CannotPlay,
    IllegalMove,
    MoveError,
    NoMove,
    PositionError,
    UsageError,
    as_move,
    class_name,
)
from arena.games.mnk import MnkGame, MnkPosition, mnk_game
from arena.player import Choose

#: The marks of a board for x, for o and for nothing.
Marks = tuple[Any, Any, Any]

#: The marks of rows, of flat lists of symbols, of words and of vectors.
LETTERS: Marks = ("X", "O", None)
SYMBOLS: Marks = ("X", "O", "E")
WORD: Marks = ("x", "o", "_")
NUMBERS: Marks = (0, 1, -1)


def as_rows(position: MnkPosition, marks: Marks = LETTERS) -> list[list[Any]]:
    """Return the board as a list of its rows.

    >>> as_rows(mnk_game(2, 2, 2).parse("x__o"))
    [['X', None], [None, 'O']]
    """
    flat, width = as_list(position, marks), position.game.columns
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def as_list(position: MnkPosition, marks: Marks = SYMBOLS) -> list[Any]:
    """Return the board as one list in reading order.

    >>> as_list(mnk_game(2, 2, 2).parse("x__o"), NUMBERS)
    [0, -1, -1, 1]
    """
    mark_of = dict(zip(WORD, marks, strict=True))
    return [mark_of[letter] for letter in str(position)]


def read_board(board: Any, game: MnkGame | None = None, marks: Marks | None = None) -> MnkPosition:
    """Return the position that a board shows: rows, a flat list, a text, a vector.

    Without a game it is tic-tac-toe on as many rows as columns. Without marks they are any of those
    above, and in rows and lists also whatever stands for them in a text. PositionError says why it
    is not a position, where it can: squares that make no board, something else than a mark, counts
    that cannot be, as x moves first, two winners, or play that went on after the end.

    >>> str(read_board([["X", "O"], [None, None]]))
    'xo__'
    >>> read_board("E E E E X E E E".split())
    Traceback (most recent call last):
    ...
    arena.errors.PositionError: a board of 8 squares is not as wide as it is high
    """
    cells, width = _cells(board)
    if game is None:
        game = _square(len(cells), width)
    elif width not in (None, game.columns):
        raise PositionError(f"a row has {width} squares; {game.name} has {game.columns} columns")
    return game.parse(
        "".join(_letter(cell, square, marks) for square, cell in enumerate(cells, start=1))
    )


def _square(squares: int, width: int | None) -> MnkGame:
    side = isqrt(squares)
    if not squares or side * side != squares or width not in (None, side):
        rows = f" in rows of {width}" if width is not None else ""
        raise PositionError(f"a board of {squares} squares{rows} is not as wide as it is high")
    return mnk_game(side, side, side)


def rows(function: Callable[..., Any], marks: Marks = LETTERS) -> Choose:
    """Adapt a function of a list of rows that answers with a row and a column, from 0."""
    return _adapted(function, lambda position: as_rows(position, marks), marks, _read_pair)


def word(function: Callable[..., Any]) -> Choose:
    """Adapt a function of a text that answers with a square's number, from 1."""
    return _adapted(function, str, WORD, _read_number)


def symbols(function: Callable[..., Any], marks: Marks = SYMBOLS) -> Choose:
    """Adapt a function of one list that answers with a row and a column, from 0."""
    return _adapted(function, lambda position: as_list(position, marks), marks, _read_pair)


def vector(function: Callable[..., Any], marks: Marks = NUMBERS) -> Choose:
    """Adapt a function of one list that answers with an index into it, from 0."""
    return _adapted(function, lambda position: as_list(position, marks), marks, _read_index)


def _adapted(
    function: Callable[..., Any],
    board_of: Callable[[MnkPosition], Any],
    marks: Marks,
    read: Callable[[Any, MnkGame], int | NoMove],
) -> Choose:
    takes_player, takes_rng = _parameters(function)

    @wraps(function)
    def choose(position: MnkPosition, rng: Random) -> Any:
        game = position.game
        if not isinstance(game, MnkGame):
            raise CannotPlay(f"{game.name} is not played by taking squares of a board")
        given = [board_of(position)]
        if takes_player:
            given.append(marks[position.to_move])
        return read(function(*given, **({"rng": rng} if takes_rng else {})), game)

    del choose.__dict__["__wrapped__"]  # its parameters are not those of the function
    # As a named tuple does, so that it counts as its file's own, wherever the function is from.
    choose.__module__ = sys._getframe(2).f_globals.get("__name__", __name__)
    return choose


def _parameters(function: Callable[..., Any]) -> tuple[bool, bool]:
    """Return whether it takes the player, and whether a generator. Raises UsageError otherwise."""
    if not callable(function):
        raise UsageError(f"an adapter is for a function, not for a {class_name(function)}")
    needed = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    given = [name for name in needed if name != "rng"]
    if len(given) not in (1, 2):
        name = getattr(function, "__name__", class_name(function))
        raise UsageError(
            f"{name}({', '.join(needed)}) cannot be adapted: it must be f(board) or"
            " f(board, player), and may have a parameter rng"
        )
    return len(given) == 2, len(needed) > len(given)


def _read_pair(answer: Any, game: MnkGame) -> int | NoMove:
    try:
        row, column = map(as_move, answer)
    except (TypeError, ValueError):
        return NoMove(f"answered {shown_thing(answer)}, which is not (row, column)")
    square = game.square_at(row, column)
    if square is None:
        size = f"{game.rows} rows and {game.columns} columns"
        return NoMove(f"answered {shown_thing(answer)}, which is outside {size} counted from 0")
    return square


def _read_number(answer: Any, game: MnkGame) -> int | NoMove:
    try:
        return game.parse_move(answer if isinstance(answer, str) else str(as_move(answer)))
    except (IllegalMove, MoveError, ValueError):
        return NoMove(f"answered {shown_thing(answer)}, which is not one of 1 to {game.squares}")


def _read_index(answer: Any, game: MnkGame) -> int | NoMove:
    try:
        square = as_move(answer)
    except IllegalMove:
        square = -1
    if 0 <= square < game.squares:
        return square
    return NoMove(f"answered {shown_thing(answer)}, which is not one of 0 to {game.squares - 1}")


def shown_thing(answer: Any) -> str:
    """Return an answer or a mark as a message has it: short, whatever it is."""
    try:
        return reprlib.repr(answer)
    except Exception:  # such as an int of too many digits
        return f"a {class_name(answer)}"


def _cells(board: Any) -> tuple[list[Any], int | None]:
    """Return the squares of a board in reading order, and its width if it is in rows."""
    if isinstance(board, str):
        return [c for c in board if c != "/" and not c.isspace()], None
    if not isinstance(board, Iterable):
        raise PositionError(f"{class_name(board)} is not a board: use rows, a list or a text")
    cells = list(board)
    if not cells or not all(_is_row(row) for row in cells):
        return cells, None
    lines = [list(row) for row in cells]
    width = len(lines[0])
    for number, line in enumerate(lines, start=1):
        if len(line) != width:
            raise PositionError(f"row {number} has {len(line)} squares, row 1 has {width}")
    return [cell for line in lines for cell in line], width


def _is_row(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) > 1
    return isinstance(value, Iterable) and isinstance(value, Sized)


def _letter(cell: Any, square: int, marks: Marks | None) -> str:
    for alphabet in (LETTERS, SYMBOLS, NUMBERS) if marks is None else (marks,):
        for letter, mark in zip(WORD, alphabet, strict=True):
            if cell is mark or (type(cell) is not bool and _equal(cell, mark)):
                return str(letter)
    if marks is None and isinstance(cell, str) and len(cell) == 1 and cell not in "/ \t\n":
        return cell  # the game knows more letters, and what to say of all others
    raise PositionError(f"square {square} of the board is {shown_thing(cell)}, which is not a mark")


def _equal(cell: Any, mark: Any) -> bool:
    try:
        return bool(cell == mark)
    except Exception:  # whatever a stranger's class makes of it
        return False
