"""m,n,k games for three to eight sides: m columns, n rows, k in a row wins.

The seats move in turn. The first that fills a line wins, and the others get nothing. A full board
without a line is shared. A seat whose player has forfeited is passed over, its marks stay, and the
last seat in the game wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, numeral, quoted
from arena.game import Outcome, Position, Side, as_seat
from arena.games.board import (
    bits_of,
    check_board,
    has_rulers,
    lines_on,
    name_on_board,
    square_on_board,
    squares_of,
)
from arena.games.mnk import CACHED_POSITIONS, drawn, rotations_and_reflections
from arena.games.sealed import SealedGame
from arena.seats import MAX_SEATS, SEAT_LETTERS

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram

#: The letters of a free square. The first is written.
_FREE = "_.-"


class _MnkTableFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: MnkTableGame
    #: The bitboard of each seat.
    boards: tuple[int, ...]
    #: The seat whose turn it is.
    turn: int
    #: The seats that have left the game, as bits.
    departed: int = 0


class MnkTablePosition(_MnkTableFields, Position):
    """A position: the ``boards`` of the seats, whose ``turn`` it is, and who has ``departed``."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """Number of taken squares."""
        return self.taken.bit_count()

    @property
    def taken(self) -> int:
        """The taken squares, as a bitboard."""
        return sum(self.boards)

    @property
    def to_move(self) -> Side:
        """The seat whose turn it is."""
        return as_seat(self.turn)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the free squares, ascending, or none when the game is over."""
        return () if self._winners else squares_of(self.game.full ^ self.taken)

    def play(self, move: int) -> Self:
        """Return the position after the seat in turn takes the square."""
        game, boards, turn, gone = self
        if not 0 <= move < game.squares or self.taken >> move & 1 or self._winners:
            raise IllegalMove(self._why_illegal(move))
        board = boards[turn] | 1 << move
        boards = (*boards[:turn], board, *boards[turn + 1 :])
        return type(self)(game, boards, game.after(turn, gone), gone)

    def _why_illegal(self, move: int) -> str:
        if self._winners:
            return f"the game is over in {str(self)!r}"
        if 0 <= move < self.game.squares:
            return f"square {move + 1} is taken in {str(self)!r}"
        return f"move {quoted(numeral(move))} is not a square of {self.game.name}"

    def without(self, seat: int) -> Self:
        """Return the position in which the seat has left. Its marks stay."""
        game, boards, turn, gone = self
        gone |= 1 << seat
        return type(self)(game, boards, game.after(turn, gone) if turn == seat else turn, gone)

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return 1 for the winner, or equal shares of a full board, None while it goes on."""
        winners = self._winners
        return self.game.shares[winners] if winners else None

    def outcome(self) -> Outcome | None:
        """Return that the game is over, None while it goes on."""
        return Outcome.OVER if self._winners else None

    @property
    def _winners(self) -> int:
        """The seats that share the payoff, as bits; none while the game goes on."""
        game, boards, _, gone = self
        for number, board in enumerate(boards):
            if game.has_line(board):
                return 1 << number
        seated = game.all_seats & ~gone
        if seated.bit_count() < 2:
            return seated or game.all_seats
        return seated if self.taken == game.full else 0

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Yield the rotations and reflections. A symmetry of the squares is one of the moves."""
        for image in self.game.symmetries[1:]:
            boards = tuple(bits_of([image[s] for s in squares_of(b)]) for b in self.boards)
            yield self._replace(boards=boards), image

    def canonical(self) -> Self:
        """Return the least of this position's images under the board's symmetries."""
        return min([self, *(image for image, _ in self.images())], key=lambda one: one.boards)

    def diagram(self) -> Diagram:
        """Return the board with the lines that are complete."""
        from arena.games.diagrams import completed, letters, numbers
        from arena.pictures.diagram import Diagram

        game = self.game
        is_large = has_rulers(game.columns, game.rows)
        return Diagram(
            game.columns,
            game.rows,
            self._marks(),
            "marks",
            letters(game.columns) if is_large else (),
            numbers(game.rows, from_below=True) if is_large else (),
            completed(game.lines, filter(game.has_line, self.boards), range(game.squares)),
        )

    def picture(self) -> str:
        """Draw the board."""
        return drawn(self.diagram())

    def marked_picture(self, last: int | None = None) -> str:
        """Draw the same, with the last move in brackets and a line that decided in capitals."""
        return drawn(self.diagram(), () if last is None else (last,), decided=True)

    def write_move(self, move: int) -> str:
        """Return the name of the square on a board with rulers, or else its number."""
        game = self.game
        if not has_rulers(game.columns, game.rows):
            return game.format_move(move)
        return name_on_board(move, game.columns, game.rows)

    def _marks(self) -> str:
        marks = [_FREE[0]] * self.game.squares
        for letter, board in zip(SEAT_LETTERS, self.boards, strict=False):
            for square in squares_of(board):
                marks[square] = letter
        return "".join(marks)

    def __str__(self) -> str:
        """Return the marks. Where a seat has left, the seat in turn and those that left follow."""
        if not self.departed:
            return self._marks()
        gone = "".join(SEAT_LETTERS[number] for number in squares_of(self.departed))
        return f"{self._marks()}:{SEAT_LETTERS[self.turn]}-{gone}"


class MnkTableGame(SealedGame):
    """An m,n,k game for more than two. Get one from :func:`mnk_table_game`."""

    def __init__(self, columns: int, rows: int, k: int, seats: int) -> None:
        self.name = f"mnk-{columns}-{rows}-{k}-x{seats}"
        self.columns, self.rows, self.k, self.seats = columns, rows, k, seats
        self.squares = self.max_plies = columns * rows
        self.kinds = (f"table-lines-{columns}-{rows}-x{seats}",)
        self.full = (1 << self.squares) - 1
        #: Every line as a bitboard.
        self.lines = tuple(map(bits_of, lines_on(columns, rows, k)))
        #: All seats as bits, and the payoffs of a game that these seats share.
        self.all_seats = (1 << seats) - 1
        self.shares = [_shares(winners, seats) for winners in range(1 << seats)]
        lines = set(self.lines)
        self.symmetries = tuple(
            image
            for image in rotations_and_reflections(columns, rows)
            if all(bits_of([image[s] for s in squares_of(line)]) in lines for line in lines)
        )
        self.has_line = lru_cache(CACHED_POSITIONS)(self._has_line)
        self._start = MnkTablePosition(self, (0,) * seats, 0)
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        marks = ", ".join(SEAT_LETTERS[: self.seats])
        return (
            f"{self.seats} players with the marks {marks} take turns in this order. A move puts a"
            f" mark of the player on a free square of a board of {self.columns} columns and"
            f" {self.rows} rows. A player that has {self.k} marks in a row, across, down or"
            " diagonally, wins, and gets the whole point. If the board is full without that, all"
            f" share it. A move is the number of a square: they count from 1 to {self.squares} in"
            " reading order, from the top left."
        )

    def start(self) -> MnkTablePosition:
        """Return the empty board."""
        return self._start

    def _has_line(self, board: int) -> bool:
        """Return whether the bitboard holds a line."""
        return any(board & line == line for line in self.lines)

    def after(self, turn: int, gone: int) -> int:
        """Return the seat whose turn is next among those that have not left."""
        for step in range(1, self.seats + 1):
            if not gone >> (turn + step) % self.seats & 1:
                return (turn + step) % self.seats
        return turn

    def parse(self, text: str) -> MnkTablePosition:
        """Read a position. Raises PositionError for anything else."""
        marks, colon, rest = "".join(text.lower().split()).replace("/", "").partition(":")
        letters = SEAT_LETTERS[: self.seats]
        if len(marks) != self.squares or marks.strip(letters + _FREE):
            raise PositionError(
                f"position {quoted(text)} is not a letter of {letters}{_FREE[0]} for each of the"
                f" {self.squares} squares of {self.name}"
            )
        boards = tuple(
            sum(1 << square for square, mark in enumerate(marks) if mark == letter)
            for letter in letters
        )
        counts = [board.bit_count() for board in boards]
        turn, gone = self._turn(counts), 0
        if colon:
            turn, gone = self._state(text, rest)
        elif counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
            raise PositionError(f"position {quoted(text)}: the seats {letters} move in turn")
        position = MnkTablePosition(self, boards, turn, gone)
        if sum(map(self.has_line, boards)) > 1:
            raise PositionError(f"position {quoted(text)}: play went on after a line")
        return position

    def _turn(self, counts: Sequence[int]) -> int:
        """Return the seat in turn where none has left."""
        return sum(counts) % self.seats

    def _state(self, text: str, rest: str) -> tuple[int, int]:
        """Return the seat in turn and those that left."""
        turn, dash, gone = rest.partition("-")
        letters = SEAT_LETTERS[: self.seats]
        if len(turn) != 1 or turn not in letters or not dash or not gone or gone.strip(letters):
            raise PositionError(
                f"position {quoted(text)}: after the colon stand the seat in turn and those that"
                f" left, as in :{letters[1]}-{letters[0]}"
            )
        if turn in gone and set(gone) != set(letters):
            raise PositionError(f"position {quoted(text)}: {turn} has left, so it is not in turn")
        return letters.index(turn), sum({1 << letters.index(letter) for letter in gone})

    def format_move(self, move: int) -> str:
        """Return the number of the square, from 1."""
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        """Return the square of that number, or of a name such as ``c2`` on a board with rulers."""
        named = square_on_board(text, self.columns, self.rows)
        if named is not None:
            return named
        if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= self.squares:
            return int(text) - 1
        raise MoveError(
            f"move {quoted(text)} is not a square of {self.name}: use 1 to {self.squares}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return mnk_table_game, (self.columns, self.rows, self.k, self.seats)


def _shares(winners: int, seats: int) -> tuple[Fraction, ...]:
    """Return the payoffs of a game that these seats, as bits, share."""
    share = Fraction(1, winners.bit_count() or 1)
    return tuple(share if winners >> number & 1 else Fraction(0) for number in range(seats))


def mnk_table_game(columns: int, rows: int, k: int, seats: int) -> MnkTableGame:
    """Return the game of m columns, n rows and k in a row for that many seats.

    Raises UsageError for an impossible board or number of seats.

    >>> mnk_table_game(4, 4, 3, 3)
    <game mnk-4-4-3-x3>
    """
    check_board(columns, rows, k)
    if not 3 <= seats <= MAX_SEATS:
        raise UsageError(
            f"mnk-{columns}-{rows}-{k}-x{seats}: x stands before a number of seats from 3 to"
            f" {MAX_SEATS}; mnk-{columns}-{rows}-{k} is for two"
        )
    return _mnk_table_game(columns, rows, k, seats)


@cache
def _mnk_table_game(columns: int, rows: int, k: int, seats: int) -> MnkTableGame:
    return MnkTableGame(columns, rows, k, seats)
