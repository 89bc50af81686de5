"""Positions on a rectangular board as two bitboards, and their text.

A position's text has one letter per square in reading order: ``x``, ``o`` or ``_`` for empty. The
reader also takes upper case, ``.``, ``-`` and ``E`` for empty, and blanks or ``/`` between rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import and_
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from arena.errors import MoveError, PositionError, UsageError, quoted
from arena.game import Position
from arena.games.sealed import SealedGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.arrays import Bools


#: Longest side of a board; pictures of larger ones do not fit a screen.
MAX_SIDE = 20

#: Bits of a word in an array of boards.
WORD_BITS = 64

#: Boards of more columns or rows are shown with their names.
WITHOUT_RULERS = 3

_LETTERS = {"x": "x", "o": "o", "_": "_", ".": "_", "-": "_", "e": "_"}

_SQUARE = r"([a-z])([1-9][0-9]?)"

_CROSSES, _NOUGHTS = str.maketrans("xo_", "100"), str.maketrans("xo_", "010")


class BoardGame(SealedGame):
    """A game whose positions have a bitboard for each side."""

    #: The bit of every square in reading order.
    reading_order: Sequence[int]

    def read_bitboards(self, text: str) -> tuple[int, int]:
        """Return the bitboards of x and of o. Raises PositionError for a wrong text."""
        marks = read_marks(text, len(self.reading_order), self.name)
        first, second = (
            sum(1 << bit for bit, mark in zip(self.reading_order, marks, strict=True) if mark == x)
            for x in "xo"
        )
        return first, second


class SquareBoardGame(BoardGame):
    """A game on n by n squares, whose moves are squares from ``a1`` in the top left corner.

    Bit ``(n + 1) * row + column`` of a bitboard is a square. The bit after each row is always
    clear, so that shifts do not run from one row into the next.
    """

    def __init__(self, n: int) -> None:
        self.n = self.columns = self.rows = n
        self.move_count = n * n
        self.reading_order = [(n + 1) * row + column for row in range(n) for column in range(n)]
        #: The bit of every square as a bitboard, and all of them.
        self.bits = [1 << place for place in self.reading_order]
        self.full = sum(self.bits)

    def planes(self, positions: Sequence[Any]) -> tuple[Bools, Bools]:
        """Return the squares of the side to move and of the other, in reading order."""
        boards = [(p.second, p.first) if p.to_move else (p.first, p.second) for p in positions]
        mine, theirs = (
            squares_of_bitboards(side, self.reading_order[-1] + 1).take(self.reading_order, axis=1)
            for side in zip(*boards, strict=True)
        )
        return mine, theirs

    def format_move(self, move: int) -> str:
        """Return the column's letter and the row's number."""
        return format_square(move, self.n)

    def parse_move(self, text: str) -> int:
        """Return the square of that name."""
        return parse_square(text, self.n, self.n, self.name)

    def draw(self, board: str, shift: int) -> str:
        """Draw the rows of a board's text, each ``shift`` columns to the right of the last."""
        n, width = self.n, len(str(self.n))
        lines = [" " * width + " " + " ".join(ascii_lowercase[:n])]
        for row in range(n):
            cells = " ".join(board[row * n : row * n + n].replace("_", "."))
            lines.append(" " * (row + 1) * shift + str(row + 1).rjust(width) + " " + cells)
        return "\n".join(lines)


G = TypeVar("G", bound=BoardGame)


class _BoardFields(NamedTuple, Generic[G]):
    # It is a tuple, because a player cannot change one.
    game: G
    first: int
    second: int


class BoardPosition(_BoardFields[G], Position):
    """A position with the bitboards ``first`` and ``second``. Each move fills one square."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """Number of taken squares."""
        return (self.first | self.second).bit_count()

    def __str__(self) -> str:
        return text_of(self.first, self.second, self.game.reading_order)


@lru_cache(maxsize=1 << 14)  # a tuple for a large board takes kilobytes
def squares_of(bits: int) -> tuple[int, ...]:
    """Return the squares of a bitboard, ascending.

    >>> squares_of(0b10011)
    (0, 1, 4)
    """
    squares = []
    while bits:
        lowest = bits & -bits
        squares.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(squares)


def squares_of_bitboards(bitboards: Sequence[int], bits: int) -> Bools:
    """Return which bits are set in each bitboard: shape (bitboards, bits).

    >>> squares_of_bitboards([0b101], 4).tolist()
    [[True, False, True, False]]
    """
    import numpy as np

    size = -(-bits // 8)
    octets = b"".join(board.to_bytes(size, "little") for board in bitboards)
    rows = np.frombuffer(octets, np.uint8).reshape(len(bitboards), size)
    planes: NDArray[np.uint8] = np.unpackbits(rows, axis=1, count=bits, bitorder="little")
    return planes.view(np.bool_)


def bits_of(squares: Sequence[int]) -> int:
    """Return the bitboard of these squares."""
    return sum(1 << square for square in squares)


def format_square(square: int, columns: int) -> str:
    """Return the name of a square: the column's letter, and the row's number from the top.

    >>> format_square(10, columns=8)
    'c2'
    """
    return f"{chr(ord('a') + square % columns)}{square // columns + 1}"


def parse_square(text: str, columns: int, rows: int, game: str) -> int:
    """Return the square of that name. Raises MoveError for a text that does not name one."""
    match = re.fullmatch(_SQUARE, text)
    if match is not None:
        column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
        if column < columns and row < rows:
            return row * columns + column
    last = format_square(rows * columns - 1, columns)
    raise MoveError(f"move {quoted(text)} is not a square of {game}: use a1 to {last}")


def has_rulers(columns: int, rows: int) -> bool:
    """Return whether a board is shown with the names of its columns and rows."""
    return max(columns, rows) > WITHOUT_RULERS


def name_on_board(square: int, columns: int, rows: int) -> str:
    """Return the name of a square on a board with rulers, whose row 1 is the lowest.

    >>> name_on_board(9, 4, 3)
    'b1'
    """
    return f"{chr(ord('a') + square % columns)}{rows - square // columns}"


def square_on_board(text: str, columns: int, rows: int) -> int | None:
    """Return the square of a name that counts rows from below, as on boards with rulers.

    None for another text, and on a board without rulers: one of three columns and rows or fewer.

    >>> square_on_board("b1", 4, 3), square_on_board("b1", 3, 3)
    (9, None)
    """
    match = re.fullmatch(_SQUARE, text)
    if match is None or not has_rulers(columns, rows):
        return None
    column, row = ord(match[1]) - ord("a"), rows - int(match[2])
    return row * columns + column if column < columns and row >= 0 else None


def check_board(columns: int, rows: int, k: int) -> None:
    """Raise UsageError for a board of an impossible size, or too small for k in a row."""
    if not 1 <= columns <= MAX_SIDE or not 1 <= rows <= MAX_SIDE:
        raise UsageError(
            f"a board of {columns} columns and {rows} rows: each must be 1 to {MAX_SIDE}"
        )
    if not 1 <= k <= max(columns, rows):
        raise UsageError(
            f"{k} in a row on a board of {columns} columns and {rows} rows:"
            f" must be 1 to {max(columns, rows)}"
        )


def read_marks(text: str, squares: int, game: str) -> str:
    """Return the text with one of ``xo_`` a square. Raises PositionError for another text."""
    if len(text) == squares and not text.strip("xo_"):
        return text
    letters = [c for c in text.lower() if c != "/" and not c.isspace()]
    for number, letter in enumerate(letters, start=1):
        if letter not in _LETTERS:
            raise PositionError(
                f"position {quoted(text)} has {letter!r} at square {number}; use x, o and _"
            )
    if len(letters) != squares:
        raise PositionError(
            f"position {quoted(text)} has {len(letters)} squares; {game} has {squares}"
        )
    return "".join(_LETTERS[letter] for letter in letters)


def bits_of_marks(marks: str) -> tuple[int, int]:
    """Return the bitboards of x and of o, the first mark being that of square 0.

    >>> bits_of_marks("xo_x")
    (9, 2)
    """
    crosses, noughts = marks[::-1].translate(_CROSSES), marks[::-1].translate(_NOUGHTS)
    return int(crosses, 2), int(noughts, 2)


def check_counts(text: str, crosses: int, noughts: int) -> None:
    """Raise PositionError unless x, which moves first, has as many marks as o or one more."""
    if crosses - noughts not in (0, 1):
        raise PositionError(
            f"position {quoted(text)} has {crosses} x and {noughts} o;"
            " x moves first, so x has as many as o or one more"
        )


def check_end(
    text: str, misere: bool, x_moved_last: bool, lined: Sequence[bool], ended_by_one_move: bool
) -> None:
    """Raise PositionError if both sides have a line, or if play went on after one had.

    ``lined`` says for x and for o if it has a line, by which it has lost under ``misere`` play.
    ``ended_by_one_move`` says if all lines of that side share a square, as they must when the last
    move made them.
    """
    if all(lined):
        ends = "losers" if misere else "winners"
        raise PositionError(f"position {quoted(text)} has both x and o as {ends}")
    for side, moved_last in enumerate((x_moved_last, not x_moved_last)):
        if lined[side] and not (moved_last and ended_by_one_move):
            had = f"{'xo'[side]} had {'lost' if misere else 'won'}"
            raise PositionError(f"position {quoted(text)}: play went on after {had}")


def crossing(lines: Iterable[int], marks: int) -> bool:
    """Return whether all lines that these marks fill share a square."""
    filled = [line for line in lines if marks & line == line]
    return not filled or reduce(and_, filled) != 0


def name_of(columns: int, rows: int, k: int) -> str:
    """Return what k in a row on a board of that size is called."""
    if columns == rows == k:
        return "tictactoe" if k == 3 else f"tictactoe-{k}"
    return f"mnk-{columns}-{rows}-{k}"


def line_totals(lines: Sequence[int], first: int, second: int) -> tuple[int, int, int]:
    """Return the worth of each side's lines, and the number of empty lines.

    A line with n > 0 marks of one side and without any of the other is worth 10 to the power of n.

    >>> line_totals([0b0111, 0b1110, 0b1101, 0b1011], 0b0011, 0b1000)
    (100, 0, 0)
    """
    totals = [0, 0, 0]
    for line in lines:
        crosses, noughts = (first & line).bit_count(), (second & line).bit_count()
        if not crosses and not noughts:
            totals[2] += 1
        elif not noughts:
            totals[0] += 10**crosses
        elif not crosses:
            totals[1] += 10**noughts
    return totals[0], totals[1], totals[2]


def text_of(first: int, second: int, squares: Sequence[int]) -> str:
    """Return the letters of the squares, in the order given, from the two sides' bitboards."""
    return "".join(["x" if first >> s & 1 else "o" if second >> s & 1 else "_" for s in squares])


def lines_on(columns: int, rows: int, k: int) -> Iterator[list[int]]:
    """Yield every k squares in a row: along rows, columns, and the two diagonals."""
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row in range(rows):
            for column in range(columns):
                last_row, last_column = row + (k - 1) * down, column + (k - 1) * right
                if last_row < rows and 0 <= last_column < columns:
                    yield [(row + i * down) * columns + column + i * right for i in range(k)]
        if k == 1:
            return  # all four directions give the same square
