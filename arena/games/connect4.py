"""Connect four, and its like on other boards: a disc falls to the lowest free square of a column.

At connect four four in a row win, on seven columns of six. A move is a column, counted from 0. Its
text counts from 1. The text of a position is in reading order, so the top row comes first.

A side's discs are a bitboard with bit ``(rows + 1) * column + height``: above each column there is
a bit that is always clear. So shifts find lines without running from one column into the next (the
layout is from Tromp, "Fhourstones").
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Self

from arena.core import register_class, twin, words_of
from arena.errors import IllegalMove, PositionError, quoted
from arena.game import Outcome, Side
from arena.games.board import (
    check_board,
    check_counts,
    check_end,
)
from arena.games.line_game import SUFFIX, LineGame, LinePosition, Misere, ruled_by_lines

#: Bitboards per game whose lines are cached.
CACHED_BITBOARDS = 1 << 16


@ruled_by_lines
class ConnectPosition(LinePosition["ConnectGame"]):
    """A position of discs that fell: ``game``, and the bitboards ``first`` and ``second``."""

    __slots__ = ()

    @twin("lines.legal_columns")
    def legal_moves(self) -> tuple[int, ...]:
        """Return the columns with room, ascending, or none when the game is over."""
        game, first, second = self
        occupied = first | second
        if game.has_line(first if occupied.bit_count() & 1 else second):
            return ()
        return game.columns_of(occupied + game.bottom & game.full)

    @twin("lines.play_column")
    def play(self, move: int) -> Self:
        """Return the position after the side to move drops a disc into the column."""
        game, first, second = self
        occupied = first | second
        landing = occupied + game.bottom & game.column[move] if 0 <= move < game.columns else 0
        side = occupied.bit_count() & 1
        if not landing or game.has_line(first if side else second):
            raise IllegalMove(self.why_illegal(move))
        if side:
            return _new(type(self), (game, first, second | landing))
        return _new(type(self), (game, first | landing, second))

    @twin("lines.winning_columns")
    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return the columns in which a disc of this side makes a line now, ascending."""
        game, first, second = self
        landings = (first | second) + game.bottom & game.full
        winning = landings & game.completing(second if side else first)
        return game.columns_of(winning) if winning and self.outcome() is None else ()

    @twin("lines.plies_to_four")
    def plies_to_win(self, side: Side) -> int:
        """Return 1 or 2 if the side's next disc can make a line, else 3 or 4."""
        game, first, second = self
        landings = (first | second) + game.bottom & game.full
        winning = game.completing(second if side else first)
        if side == self.to_move:
            return 1 if winning & landings else 3
        # The disc can land on the one that is dropped before it.
        return 2 if winning & (landings | landings << 1 & game.full) else 4

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Yield the mirror image."""
        yield self._mirrored(), range(self.game.columns)[::-1]

    @twin("lines.least_column_image")
    def canonical(self) -> Self:
        """Return the lesser of this position and its mirror image."""
        return min(self, self._mirrored())

    def _mirrored(self) -> Self:
        game, first, second = self
        return _new(type(self), (game, game.mirror(first), game.mirror(second)))

    @twin("lines.search_columns")
    def search_moves(self) -> tuple[int, ...]:
        """Return a winning column alone, else one to block alone, else all from the middle
        outwards.
        """
        forced = self.winning_moves(self.to_move) or self.winning_moves(self.to_move.other)
        if forced:
            return forced[:1]
        room = self.legal_moves()
        return tuple(c for c in self.game.centre_first if c in room)

    def play_out(self, rng: random.Random) -> Outcome:
        """Drop discs at random, and look for lines of the last disc's side alone."""
        outcome = self.outcome()
        if outcome is not None:
            return outcome
        game, draw, side = self.game, rng.random, int(self.to_move)
        mine, theirs = (self.second, self.first) if side else (self.first, self.second)
        landings = (mine | theirs) + game.bottom & game.full
        free = [landing for column in game.column if (landing := landings & column)]
        has_line, full = game.has_line, game.full
        while free:
            index = int(draw() * len(free))
            mine |= free[index]
            if has_line(mine):
                break
            free[index] = free[index] << 1 & full
            if not free[index]:
                del free[index]
            mine, theirs, side = theirs, mine, 1 - side
        first, second = (theirs, mine) if side else (mine, theirs)
        outcome = _new(type(self), (game, first, second)).outcome()
        assert outcome is not None
        return outcome

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the lowest free square of the column, or its topmost disc's."""
        column = self.game.column[move]
        occupied = (self.first | self.second) & column
        place = (occupied + self.game.bottom & column).bit_length() - 1
        place = occupied.bit_length() - 1 if is_played else place
        return () if place < 0 else (self.game.reading_order.index(place),)

    def draw(self, last: tuple[int, ...] = (), decided: bool = False) -> str:
        """Draw rows with a dot for a free square, and the columns' numbers below."""
        from arena.games.diagrams import numbers
        from arena.pictures.letters import ruled

        diagram = replace(self.diagram(), across=numbers(self.game.columns))
        return ruled(diagram, last, decided)


@ruled_by_lines
class MisereConnectPosition(Misere["ConnectGame"], ConnectPosition):  # type: ignore[misc]
    """A position of the misere game: the side that completes a line has lost."""

    __slots__ = ()


_new = tuple.__new__


@ruled_by_lines
@register_class("lines")
class ConnectGame(LineGame):
    """The rules of discs that fall. Get a game from :func:`connect_game`, which makes each once."""

    look = "holes"
    places, filled = "column", "full"

    def __init__(self, columns: int, rows: int, k: int, misere: bool) -> None:
        self.name = _name(columns, rows, k) + SUFFIX * misere
        self.columns, self.rows, self.k, self.misere = columns, rows, k, misere
        self.max_plies, self.moves = columns * rows, columns
        stride = rows + 1
        self.key_bits = stride * columns
        #: The lowest squares, all squares, and those of each column.
        self.bottom = sum(1 << stride * column for column in range(columns))
        self.full = self.bottom * ((1 << rows) - 1)
        self.column = [((1 << rows) - 1) << stride * column for column in range(columns)]
        #: Steps along a column, and in the three directions from one column to the next.
        self._steps = (1, stride - 1, stride, stride + 1)
        self._shifts = [[step * more for more in _doublings(k)] for step in self._steps]
        self.lines = [
            line
            for step in self._steps[: 1 if k == 1 else 4]  # one square is a line of all directions
            for square in range(stride * columns)
            if (line := sum(1 << square + i * step for i in range(k))) & self.full == line
        ]
        self.centre_first = sorted(range(columns), key=lambda c: abs(2 * c - columns + 1))
        self.reading_order = [stride * c + r for r in reversed(range(rows)) for c in range(columns)]
        self._start = (MisereConnectPosition if misere else ConnectPosition)(self, 0, 0)
        self.has_line = lru_cache(CACHED_BITBOARDS)(self._has_line)
        self.completing = lru_cache(CACHED_BITBOARDS)(
            self._completing_four if k == 4 else self._completing
        )
        self.columns_of = lru_cache(CACHED_BITBOARDS)(self._columns_of)
        self._words = words_of(self)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            "Two players, x and o, take turns, and x begins. A move drops a disc of the player into"
            f" a column of a board of {self.columns} columns and {self.rows} rows. It falls to the"
            f" lowest free square. A player that has {self.k} discs in a row, across, down or"
            f" diagonally, {'loses' if self.misere else 'wins'}. A full board without that is a"
            f" draw. A move is the number of a column, from 1 at the left to {self.columns}."
        )

    def start(self) -> ConnectPosition:
        """Return the empty board."""
        return self._start

    def parse(self, text: str) -> ConnectPosition:
        """Read a position. Raises PositionError for a wrong text and for discs that hang in the
        air.

        Not every position that passes can occur: its discs may lie in an order that no sequence of
        moves produces.
        """
        first, second = self.read_bitboards(text)
        check_counts(text, first.bit_count(), second.bit_count())
        hanging = (first | second) & ~(self.bottom | (first | second) << 1)
        if hanging:
            column = (hanging.bit_length() - 1) // (self.rows + 1) + 1
            raise PositionError(
                f"position {quoted(text)} has a disc in column {column} with nothing below it"
            )
        lined = [self.has_line(first), self.has_line(second)]
        by_one = self._ended_by_one_move(first if lined[0] else second, first | second)
        check_end(text, self.misere, first.bit_count() > second.bit_count(), lined, by_one)
        return type(self._start)(self, first, second)

    def mirror(self, bits: int) -> int:
        """Return the mirror image of a bitboard."""
        stride, image = self.rows + 1, 0
        for column in range(self.columns):
            image |= (bits >> stride * column & self.column[0]) << stride * (
                self.columns - 1 - column
            )
        return image

    def _columns_of(self, landings: int) -> tuple[int, ...]:
        return tuple(c for c in range(self.columns) if landings & self.column[c])

    def _has_line(self, bits: int) -> bool:
        """Return whether the bitboard holds a line in some direction."""
        for shifts in self._shifts:
            line_starts = bits
            for shift in shifts:
                line_starts &= line_starts >> shift
            if line_starts:
                return True
        return False

    def _completing(self, bits: int) -> int:
        """Return the squares, free or not, that complete a line with the bitboard."""
        squares = 0
        for step in self._steps:
            below, above = [self.full], [self.full]  # squares next to 0, 1, ... in a row
            for _ in range(self.k - 1):
                below.append((below[-1] & bits) << step)
                above.append((above[-1] & bits) >> step)
            for before, after in zip(below, reversed(above), strict=True):
                squares |= before & after
        return squares & self.full

    def _completing_four(self, bits: int) -> int:
        """Return the same for four in a row, where it takes a third of the time."""
        squares = 0
        for step in self._steps:
            up, down = bits << step, bits >> step
            two_up, two_down = up & up << step, down & down >> step
            squares |= two_up & (up << 2 * step | down) | two_down & (down >> 2 * step | up)
        return squares & self.full

    def _ended_by_one_move(self, side: int, occupied: int) -> bool:
        """Return whether the side has no line without one of its top discs."""
        tops = [
            1 << (occupied & column).bit_length() - 1 for column in self.column if occupied & column
        ]
        return any(side & top and not self.has_line(side ^ top) for top in tops)

    def __reduce__(self) -> tuple[Any, ...]:
        return connect_game, (self.columns, self.rows, self.k, self.misere)


def connect_game(columns: int, rows: int, k: int, misere: bool = False) -> ConnectGame:
    """Return the game of m columns, n rows and k in a row. Raises UsageError for an impossible
    board.
    """
    check_board(columns, rows, k)
    return _connect_game(columns, rows, k, misere)


@cache
def _connect_game(columns: int, rows: int, k: int, misere: bool) -> ConnectGame:
    return ConnectGame(columns, rows, k, misere)


def _doublings(k: int) -> Iterator[int]:
    """Yield how much longer a row becomes at each step from 1 to k, which is at most twice as
    long.
    """
    length = 1
    while length < k:
        more = min(length, k - length)
        yield more
        length += more


def _name(columns: int, rows: int, k: int) -> str:
    return "connect4" if (columns, rows, k) == (7, 6, 4) else f"connect-{columns}-{rows}-{k}"


CONNECT4 = connect_game(7, 6, 4)
