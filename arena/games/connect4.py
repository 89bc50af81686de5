"""Connect four: seven columns of six squares; a disc falls to the lowest free one.

Four in a row win. A move is a column, counted from 0; its text counts from 1. The text of a
position is in reading order, so the top row comes first.

A side's discs are a bitboard with bit ``7 * column + height``: six bits per column and one above
that is always clear. So shifts find lines without running from one column into the next (the layout
is from Tromp, "Fhourstones").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, numeral, quoted
from arena.game import WIN_FOR, Game, Outcome, Position, Side
from arena.games.board import (
    check_counts,
    check_end,
    line_totals,
    read_marks,
    refuse_change,
    text_of,
)

COLUMNS, ROWS = 7, 6
_STRIDE = ROWS + 1
_BOTTOM = sum(1 << _STRIDE * column for column in range(COLUMNS))
_FULL = _BOTTOM * ((1 << ROWS) - 1)
_COLUMN = [((1 << ROWS) - 1) << _STRIDE * column for column in range(COLUMNS)]
#: Steps along a column, and in the three directions from one column to the next.
_STEPS = (1, _STRIDE - 1, _STRIDE, _STRIDE + 1)
_LINES = [
    line
    for step in _STEPS
    for square in range(_STRIDE * COLUMNS)
    if (line := sum(1 << square + i * step for i in range(4))) & _FULL == line
]
_CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
#: The bit of every square in reading order.
_READING_ORDER = [_STRIDE * c + r for r in reversed(range(ROWS)) for c in range(COLUMNS)]


class _Fields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    first: int
    second: int


class Connect4Position(_Fields, Position):
    """A position of connect four: the bitboards ``first`` and ``second``."""

    __slots__ = ()

    @property
    def game(self) -> Connect4:
        """Connect four."""
        return CONNECT4

    @property
    def ply(self) -> int:
        """Number of discs that have been dropped."""
        return (self.first | self.second).bit_count()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the columns with room, ascending; none when the game is over."""
        if self.outcome() is not None:
            return ()
        return _columns_of((self.first | self.second) + _BOTTOM & _FULL)

    def play(self, move: int) -> Self:
        """Return the position after the side to move drops a disc into the column."""
        first, second = self
        taken = first | second
        landing = taken + _BOTTOM & _COLUMN[move] if 0 <= move < COLUMNS else 0
        if not landing or self.outcome() is not None:
            raise IllegalMove(self._why_illegal(move))
        if taken.bit_count() & 1:
            return type(self)(first, second | landing)
        return type(self)(first | landing, second)

    def outcome(self) -> Outcome | None:
        """Return the winner by four in a row, or a draw when every column is full."""
        first, second = self
        taken = first | second
        last = taken.bit_count() & 1 ^ 1
        if _has_line(second if last else first):
            return WIN_FOR[last]
        return Outcome.DRAW if taken == _FULL else None

    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return the columns in which a disc of this side makes four in a row now, ascending."""
        landings = (self.first | self.second) + _BOTTOM & _FULL
        winning = landings & _completing(self.second if side else self.first)
        return _columns_of(winning) if winning and self.outcome() is None else ()

    def plies_to_win(self, side: Side) -> int:
        """Return 1 or 2 if the side's next disc can make four in a row, else 3 or 4."""
        landings = (self.first | self.second) + _BOTTOM & _FULL
        winning = _completing(self.second if side else self.first)
        if side == self.to_move:
            return 1 if winning & landings else 3
        # The disc can land on the one that is dropped before it.
        return 2 if winning & (landings | landings << 1 & _FULL) else 4

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Yield the mirror image."""
        yield type(self)(_mirror(self.first), _mirror(self.second)), range(COLUMNS)[::-1]

    def canonical(self) -> Self:
        """Return the lesser of this position and its mirror image."""
        return min(self, type(self)(_mirror(self.first), _mirror(self.second)))

    def estimate(self) -> int:
        """Weigh open lines: ten for a disc, ten times as much for every further one."""
        crosses, noughts, _ = line_totals(_LINES, self.first, self.second)
        return crosses - noughts

    def search_moves(self) -> tuple[int, ...]:
        """Return a winning column alone, else one to block alone, else all from the middle
        outwards.
        """
        forced = self.winning_moves(self.to_move) or self.winning_moves(self.to_move.other)
        if forced:
            return forced[:1]
        room = self.legal_moves()
        return tuple(c for c in _CENTRE_FIRST if c in room)

    def picture(self) -> str:
        """Draw the board in rows, with a dot for a free square and the columns' numbers below."""
        text = str(self).replace("_", ".")
        rows = [" ".join(text[at : at + COLUMNS]) for at in range(0, len(text), COLUMNS)]
        return "\n".join([*rows, " ".join(str(c + 1) for c in range(COLUMNS))])

    def __str__(self) -> str:
        return text_of(self.first, self.second, _READING_ORDER)

    def _why_illegal(self, move: int) -> str:
        if self.outcome() is not None:
            return f"the game is over in {str(self)!r}"
        if 0 <= move < COLUMNS:
            return f"column {move + 1} is full in {str(self)!r}"
        return f"move {quoted(numeral(move))} is not a column of {self.game.name}"


class Connect4(Game):
    """The rules of connect four; :data:`CONNECT4` is the one instance."""

    name = "connect4"
    max_plies = COLUMNS * ROWS
    columns, rows = COLUMNS, ROWS
    __setattr__ = refuse_change

    def start(self) -> Connect4Position:
        """Return the empty board."""
        return _START

    def parse(self, text: str) -> Connect4Position:
        """Read a position. Raises PositionError for a wrong text and for discs that hang in the
        air.

        Not every position that passes can occur: its discs may lie in an order that no sequence of
        moves produces.
        """
        marks = read_marks(text, COLUMNS * ROWS, self.name)
        first, second = (
            sum(1 << _READING_ORDER[i] for i, mark in enumerate(marks) if mark == letter)
            for letter in "xo"
        )
        check_counts(text, first.bit_count(), second.bit_count())
        hanging = (first | second) & ~(_BOTTOM | (first | second) << 1)
        if hanging:
            column = (hanging.bit_length() - 1) // _STRIDE + 1
            raise PositionError(
                f"position {quoted(text)} has a disc in column {column} with nothing below it"
            )
        won = [_has_line(first), _has_line(second)]
        check_end(
            text,
            first.bit_count(),
            second.bit_count(),
            won,
            _ended_by_one_move(first if won[0] else second, first | second),
        )
        return Connect4Position(first, second)

    def format_move(self, move: int) -> str:
        """Return the column's number from 1."""
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        """Return the column of that number."""
        if len(text) == 1 and text in "1234567":
            return int(text) - 1
        raise MoveError(f"move {quoted(text)} is not a column of {self.name}: use 1 to {COLUMNS}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _connect4, ()


def _connect4() -> Connect4:
    return CONNECT4


@cache
def _columns_of(landings: int) -> tuple[int, ...]:
    return tuple(c for c in range(COLUMNS) if landings & _COLUMN[c])


def _has_line(bits: int) -> bool:
    """Return whether the bitboard holds four in a row in some direction."""
    for step in _STEPS:
        pairs = bits & bits >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@lru_cache(maxsize=1 << 16)
def _completing(bits: int) -> int:
    """Return the squares, free or not, that complete four in a row with three of the bitboard."""
    found = 0
    for step in _STEPS:
        up, down = bits << step, bits >> step
        two_up, two_down = up & up << step, down & down >> step
        found |= two_up & (up << 2 * step | down) | two_down & (down >> 2 * step | up)
    return found


def _ended_by_one_move(winner: int, taken: int) -> bool:
    """Return whether the winner has no line without one of its top discs."""
    tops = [1 << (taken & column).bit_length() - 1 for column in _COLUMN if taken & column]
    return any(winner & top and not _has_line(winner ^ top) for top in tops)


def _mirror(bits: int) -> int:
    image = 0
    for column in range(COLUMNS):
        image |= (bits >> _STRIDE * column & _COLUMN[0]) << _STRIDE * (COLUMNS - 1 - column)
    return image


CONNECT4 = Connect4()
_START = Connect4Position(0, 0)
