"""m,n,k games: m columns, n rows, k in a row wins, or loses. Tic-tac-toe is (3,3,3).

A move is a square, counted from 0 in reading order. Its text counts from 1. A position is two
bitboards in which bit s stands for square s. The rules are a list of winning lines of any shape:
``lines.py`` has games with other lines.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from arena.core import register_class, twin, words_of
from arena.errors import IllegalMove
from arena.game import Outcome, Side
from arena.games.board import (
    bits_of,
    bits_of_marks,
    check_board,
    check_counts,
    check_end,
    crossing,
    has_rulers,
    lines_on,
    name_of,
    name_on_board,
    read_marks,
    square_on_board,
    squares_of,
)
from arena.games.line_game import SUFFIX, LineGame, LinePosition, Misere, ruled_by_lines

if TYPE_CHECKING:
    from arena.disguises import Disguise
    from arena.pictures.diagram import Diagram

#: Positions per game whose lines and threats are cached.
CACHED_POSITIONS = 1 << 16


@ruled_by_lines
class MnkPosition(LinePosition["MnkGame"]):
    """A position of an m,n,k game: ``game``, and the bitboards ``first`` and ``second``."""

    __slots__ = ()

    @twin("lines.legal_squares")
    def legal_moves(self) -> tuple[int, ...]:
        """Return the free squares, ascending, or none when the game is over."""
        game, first, second = self
        occupied = first | second
        if game.has_line(first if occupied.bit_count() & 1 else second):
            return ()
        return squares_of(game.full ^ occupied)

    @twin("lines.play_square")
    def play(self, move: int) -> Self:
        """Return the position after the side to move takes the square."""
        game, first, second = self
        occupied = first | second
        bit = 1 << move if 0 <= move < game.squares else occupied
        if bit & occupied or not bit:
            raise IllegalMove(self.why_illegal(move))
        if occupied.bit_count() & 1:
            if game.has_line(first):
                raise IllegalMove(self.why_illegal(move))
            return _new(type(self), (game, first, second | bit))
        if game.has_line(second):
            raise IllegalMove(self.why_illegal(move))
        return _new(type(self), (game, first | bit, second))

    def marks(self, side: Side) -> int:
        """Return the bitboard of a side."""
        return self.second if side else self.first

    @twin("lines.winning_squares")
    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return the free squares that complete a line of the side, ascending, in any turn."""
        mine, theirs = (self.second, self.first) if side else (self.first, self.second)
        return squares_of(self.game.race(mine, theirs)[1])

    @twin("lines.forking_squares")
    def forking_moves(self, side: Side) -> tuple[int, ...]:
        """Return the free squares after which the side has two or more winning moves, ascending."""
        mine, theirs = (self.second, self.first) if side else (self.first, self.second)
        return self.game.forks(mine, theirs)

    @twin("lines.free_squares")
    def free(self, squares: tuple[int, ...]) -> tuple[int, ...]:
        """Return the empty ones of these squares, in the order given."""
        occupied = self.first | self.second
        return tuple(s for s in squares if not occupied >> s & 1)

    def transform(self, symmetry: tuple[int, ...]) -> Self:
        """Return the position with the mark of every square s moved to square ``symmetry[s]``."""
        first, second = (
            bits_of([symmetry[s] for s in squares_of(b)]) for b in (self.first, self.second)
        )
        return _new(type(self), (self.game, first, second))

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Yield the rotations and reflections. A symmetry of the squares is one of the moves."""
        return ((self.transform(symmetry), symmetry) for symmetry in self.game.symmetries[1:])

    @twin("lines.least_square_image")
    def canonical(self) -> Self:
        """Return the least of this position's images under the board's symmetries."""
        game, first, second = self
        return _new(type(self), (game, *game.least_image(first, second)))

    def can_win(self, side: Side) -> bool:
        """Return whether some line holds no mark of the opponent."""
        return self.game.has_open_line(self.first if side else self.second)

    @twin("lines.plies_to_line")
    def plies_to_win(self, side: Side) -> int:
        """Return the side's turns until it can have filled its fullest open line."""
        mine, theirs = (self.second, self.first) if side else (self.first, self.second)
        return 2 * self.game.race(mine, theirs)[0] - (side == self.to_move)

    @twin("lines.search_squares")
    def search_moves(self) -> tuple[int, ...]:
        """Return a winning square alone, else one to block alone, else all, by their number of
        lines.
        """
        me = self.to_move
        forced = self.winning_moves(me) or self.winning_moves(me.other)
        if forced:
            return forced[:1]
        occupied = self.first | self.second
        return tuple(s for s in self.game.by_lines if not occupied >> s & 1)

    def play_out(self, rng: random.Random) -> Outcome:
        """Fill the board at random, and end the game where the first line was complete."""
        outcome = self.outcome()
        if outcome is not None:
            return outcome
        game, first, second = self
        order = list(squares_of(game.full ^ (first | second)))
        rng.shuffle(order)
        boards = [second, first] if self.to_move else [first, second]
        filled = [board | bits_of(order[turn::2]) for turn, board in enumerate(boards)]
        lines = [line for line in game.lines if line in (filled[0] & line, filled[1] & line)]
        for turn, square in enumerate(order):
            board = boards[turn & 1] = boards[turn & 1] | 1 << square
            if any(board & line == line for line in lines):
                break
        first, second = reversed(boards) if self.to_move else boards
        outcome = _new(type(self), (game, first, second)).outcome()
        assert outcome is not None
        return outcome

    def draw(self, last: tuple[int, ...] = (), decided: bool = False) -> str:
        """Draw the board: with rulers if it is large, else with numbers on free squares."""
        return drawn(self.diagram(), last, decided)

    def write_move(self, move: int) -> str:
        """Return the name of the square on a board with rulers, such as ``h8``, or else its
        number.
        """
        columns, rows = self.game.columns, self.game.rows
        if not has_rulers(columns, rows):
            return self.game.format_move(move)
        return name_on_board(move, columns, rows)


def drawn(diagram: Diagram, last: tuple[int, ...] = (), decided: bool = False) -> str:
    """Draw a board: with rulers if it is large, else with numbers on free squares."""
    from arena.pictures.letters import numbered, ruled

    draw = ruled if has_rulers(diagram.columns, diagram.rows) else numbered
    return draw(diagram, last, decided)


@ruled_by_lines
class MisereMnkPosition(Misere["MnkGame"], MnkPosition):  # type: ignore[misc]
    """A position of the misere game: the side that completes a line has lost."""

    __slots__ = ()

    def forking_moves(self, side: Side) -> tuple[int, ...]:
        """Return nothing: two threats force no move."""
        return ()


_new = tuple.__new__


@ruled_by_lines
@register_class("lines")
class MnkGame(LineGame):
    """Rules by which a side wins when it holds all squares of a line, or loses, if ``misere``.

    Get one from :func:`mnk_game`, which makes each only once.
    """

    look = "marks"
    places, filled = "square", "taken"

    def __init__(
        self,
        name: str,
        columns: int,
        rows: int,
        lines: Sequence[Sequence[int]],
        misere: bool = False,
    ) -> None:
        self.name, self.columns, self.rows, self.misere = name, columns, rows, misere
        # A player for lines does not play against them: that is another kind.
        self.kinds = (f"{'misere-' * misere}lines-{columns}-{rows}",)
        self.squares = self.moves = self.max_plies = columns * rows
        self.reading_order, self.key_bits = range(self.squares), 2 * self.squares
        self.full = (1 << self.squares) - 1
        #: Fewest squares of a line.
        self.k = min(map(len, lines))
        #: Every line as a bitboard; k in a row along rows, columns, then diagonals.
        self.lines = tuple(map(bits_of, lines))
        self._start = (MisereMnkPosition if misere else MnkPosition)(self, 0, 0)
        self.has_line = lru_cache(CACHED_POSITIONS)(self._has_line)
        self.has_open_line = lru_cache(CACHED_POSITIONS)(self._has_open_line)
        self.race = lru_cache(CACHED_POSITIONS)(self._race)
        self.forks = lru_cache(CACHED_POSITIONS)(self._forks)
        self._words = words_of(self)
        self._sealed = True

    def start(self) -> MnkPosition:
        """Return the empty board."""
        return self._start

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"Two players, x and o, take turns, and x begins. A move puts a mark of the player on a"
            f" free square of a board of {self.columns} columns and {self.rows} rows. A player that"
            f" has {self.goal} {'loses' if self.misere else 'wins'}. A full board without that is a"
            f" draw. A move is the number of a square: they count from 1 to {self.squares} in"
            " reading order, from the top left."
        )

    def disguise(self, seed: int) -> Disguise | None:
        """Return the game told as things to take, unless it has too many lines for that."""
        from arena.games.disguise import MAX_GROUPS, Groups  # few callers want another guide

        if len(self.lines) > MAX_GROUPS:
            return None
        squares = range(self.squares)
        lines = [[each for each in squares if line >> each & 1] for line in self.lines]
        return Groups(self.squares, lines, misere=self.misere, seed=seed)

    @property
    def goal(self) -> str:
        """The end of the game, in words."""
        return f"{self.k} marks in a row, across, down or diagonally,"

    def parse(self, text: str) -> MnkPosition:
        """Read a position. Raises PositionError for a wrong text. Every other one can occur in
        play.
        """
        marks = read_marks(text, self.squares, self.name)
        first, second = bits_of_marks(marks)
        check_counts(text, first.bit_count(), second.bit_count())
        lined = [self.has_line(first), self.has_line(second)]
        if any(lined):
            x_moved_last = first.bit_count() > second.bit_count()
            crosses = crossing(self.lines, first if lined[0] else second)
            check_end(text, self.misere, x_moved_last, lined, crosses)
        return type(self._start)(self, first, second)

    def parse_move(self, text: str) -> int:
        """Return the square of that number, or of a name such as ``h8`` on a board with rulers."""
        named = square_on_board(text, self.columns, self.rows)
        return super().parse_move(text) if named is None else named

    def square_at(self, row: int, column: int) -> int | None:
        """Return the square at a row and column, both counted from 0, or None outside the board."""
        on_board = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if on_board else None

    @cached_property
    def corners(self) -> tuple[int, ...]:
        """The corner squares, ascending."""
        m, n = self.columns, self.rows
        return tuple(sorted({0, m - 1, m * (n - 1), m * n - 1}))

    @cached_property
    def centre(self) -> int | None:
        """The square in the middle, or None."""
        return self.squares // 2 if self.columns % 2 and self.rows % 2 else None

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The squares of the border that are not corners, ascending."""
        m, n = self.columns, self.rows
        border = (s for s in range(m * n) if s % m in (0, m - 1) or s // m in (0, n - 1))
        return tuple(s for s in border if s not in self.corners and s != self.centre)

    @cached_property
    def by_lines(self) -> tuple[int, ...]:
        """All squares, those on the most lines first, then ascending."""
        return tuple(
            sorted(range(self.squares), key=lambda s: -sum(line >> s & 1 for line in self.lines))
        )

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The rotations and reflections that take lines to lines: where each takes every square.

        Eight for k in a row on a square board, four on a rectangle. The first is the identity.
        """
        images = rotations_and_reflections(self.columns, self.rows)
        return tuple(image for image in images if self._keeps_lines(image))

    def _keeps_lines(self, image: tuple[int, ...]) -> bool:
        lines = set(self.lines)
        return all(bits_of([image[s] for s in squares_of(line)]) in lines for line in lines)

    def least_image(self, first: int, second: int) -> tuple[int, int]:
        """Return the least pair of bitboards that a symmetry makes of this pair."""
        return least_pair(first, second, self._byte_images)

    @cached_property
    def _byte_images(self) -> list[ByteImages]:
        """The tables of all symmetries but the identity."""
        return [byte_images(symmetry) for symmetry in self.symmetries[1:]]

    def _has_line(self, bits: int) -> bool:
        """Return whether the bitboard holds a line."""
        return any(bits & line == line for line in self.lines)

    def _has_open_line(self, against: int) -> bool:
        """Return whether some line has none of these marks."""
        return not all(against & line for line in self.lines)

    def _race(self, mine: int, theirs: int) -> tuple[int, int]:
        """Return how many squares my fullest open line lacks, and those that complete a line.

        The first is more than the board has if no line is open. The second is a bitboard of the
        squares that complete a line alone.
        """
        fewest, winning = self.squares + 1, 0
        for line in self.lines:
            if not line & theirs:
                missing = line & ~mine
                number = missing.bit_count()
                if number < fewest:
                    fewest = number
                if number == 1:
                    winning |= missing
        return fewest, winning

    def _forks(self, mine: int, theirs: int) -> tuple[int, ...]:
        free = self.full ^ (mine | theirs)
        return tuple(
            s for s in squares_of(free) if self.race(mine | 1 << s, theirs)[1].bit_count() > 1
        )

    def __reduce__(self) -> tuple[Any, ...]:
        board = self.columns, self.rows, self.k, self.misere
        if _games.get(board) is self:
            return mnk_game, board
        facts = self.name, self.columns, self.rows, tuple(map(squares_of, self.lines)), self.misere
        if type(self) is MnkGame:
            _others.setdefault(facts, self)
        return _other_game, facts


def mnk_game(columns: int, rows: int, k: int, misere: bool = False) -> MnkGame:
    """Return the game of m columns, n rows and k in a row. Raises UsageError for an impossible
    board.

    >>> mnk_game(3, 3, 3), mnk_game(3, 3, 3, misere=True)
    (<game tictactoe>, <game tictactoe-misere>)
    """
    check_board(columns, rows, k)
    board = columns, rows, k, misere
    if board not in _games:
        name = name_of(columns, rows, k) + SUFFIX * misere
        game = MnkGame(name, columns, rows, [*lines_on(columns, rows, k)], misere)
        _games.setdefault(board, game)
    return _games[board]


def _other_game(*facts: Any) -> MnkGame:
    """Return the game of these arguments, one object in a process, that was made elsewhere."""
    return _others.setdefault(facts, MnkGame(*facts))


#: Every game that :func:`mnk_game` has made, by its columns, rows and k, and whether it is misere.
_games: dict[tuple[int, int, int, bool], MnkGame] = {}
#: Every other one that was pickled, by its arguments.
_others: dict[tuple[Any, ...], MnkGame] = {}


#: For each byte of a bitboard, the image of every value of that byte.
ByteImages = list[list[int]]


def rotations_and_reflections(columns: int, rows: int) -> list[tuple[int, ...]]:
    """Return eight symmetries of a square board, four of a rectangle. The first is the identity.

    >>> rotations_and_reflections(2, 1)
    [(0, 1), (1, 0)]
    """
    images = []
    for transposed in (False, True) if columns == rows else (False,):
        for down in (False, True):
            for right in (False, True):
                image = []
                for square in range(columns * rows):
                    row, column = divmod(square, columns)
                    row, column = (column, row) if transposed else (row, column)
                    row = rows - 1 - row if down else row
                    column = columns - 1 - column if right else column
                    image.append(row * columns + column)
                images.append(tuple(image))
    return list(dict.fromkeys(images))


def byte_images(symmetry: Sequence[int]) -> ByteImages:
    """Return the tables of a symmetry for :func:`image_of`."""
    squares = len(symmetry)
    padded = [*symmetry, *range(squares, squares + 7)]
    return [
        [sum(1 << padded[start + i] for i in range(8) if value >> i & 1) for value in range(256)]
        for start in range(0, squares, 8)
    ]


def image_of(bits: int, tables: ByteImages) -> int:
    """Return where a symmetry takes a bitboard."""
    image = 0
    for table in tables:
        image |= table[bits & 255]
        bits >>= 8
    return image


def least_pair(first: int, second: int, symmetries: Iterable[ByteImages]) -> tuple[int, int]:
    """Return the least pair of bitboards among this one and its images."""
    best = (first, second)
    for tables in symmetries:
        image = (image_of(first, tables), image_of(second, tables))
        if image < best:
            best = image
    return best
