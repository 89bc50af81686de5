"""Positions of games in which a line decides, and misere play: a side with a line loses.

A class of positions becomes its misere with :class:`Misere` before it among its bases. Everything
that a position knows of a side's line then counts for the opponent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from arena.core import twin
from arena.errors import MoveError, numeral, quoted
from arena.game import WIN_FOR, Game, Outcome, Side
from arena.games.board import WORD_BITS, BoardGame, BoardPosition, has_rulers, line_totals

if TYPE_CHECKING:
    from arena.pictures.diagram import Diagram, Look

_SIDES = tuple(Side)

#: The end of the name of a game under misere play.
SUFFIX = "-misere"

#: The end of a game by its end where a line wins.
_REVERSED = {
    None: None,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.FIRST_WINS: Outcome.SECOND_WINS,
    Outcome.SECOND_WINS: Outcome.FIRST_WINS,
}


K = TypeVar("K", bound=type)


class LineGame(BoardGame):
    """A game in which a line decides."""

    #: What its board looks like.
    look: ClassVar[Look]
    #: The words for what a move chooses, and for a place where no move can go.
    places: ClassVar[str]
    filled: ClassVar[str]
    #: The number of different moves.
    moves: int
    columns: int
    rows: int
    #: All squares, and every line, as bitboards.
    full: int
    lines: Sequence[int]
    #: Whether a bitboard holds a line.
    has_line: Callable[[int], bool]
    #: What the compiled core has of its rules; see arena.core.
    _words: object
    #: Bits of a number that tells its positions apart.
    key_bits: int

    def format_move(self, move: int) -> str:
        """Return the number of the square or column, from 1."""
        return str(move + 1)

    def parse_move(self, text: str) -> int:
        """Return the square or column of that number."""
        digits = text.isascii() and text.isdigit() and len(text) < 10
        if digits and 1 <= int(text) <= self.moves:
            return int(text) - 1
        raise MoveError(
            f"move {quoted(text)} is not a {self.places} of {self.name}: use 1 to {self.moves}"
        )


#: The classes of games and positions that have no rules besides the lines of the game.
_RULED_BY_LINES: set[type] = set()


def ruled_by_lines(kind: K) -> K:
    """Decorate a class of games or positions that has no rules besides the lines of the game."""
    _RULED_BY_LINES.add(kind)
    return kind


def has_line_rules(game: Game) -> bool:
    """Return whether the lines of a game, and whether discs fall, are all its rules.

    A class derived from one of arena's may have changed a rule. Whatever computes with the lines
    leaves its games to what asks their positions.
    """
    if not isinstance(game, LineGame):
        return False
    return {type(game), type(game.start())} <= _RULED_BY_LINES


def has_keys(game: Game) -> bool:
    """Return whether a word holds the key of any position, as arrays of positions need."""
    return has_line_rules(game) and cast("LineGame", game).key_bits <= WORD_BITS


L = TypeVar("L", bound=LineGame)


class LinePosition(BoardPosition[L]):
    """A position of a game in which a line decides."""

    __slots__ = ()
    alternates = True

    @property
    @twin("lines.ply")
    def ply(self) -> int:
        """Number of taken squares."""
        return (self.first | self.second).bit_count()

    @property
    @twin("lines.to_move")
    def to_move(self) -> Side:
        """The side whose turn it is."""
        return _SIDES[(self.first | self.second).bit_count() & 1]

    @twin("lines.outcome")
    def outcome(self) -> Outcome | None:
        """Return the winner by a line, or a draw when every square is filled."""
        game, first, second = self
        occupied = first | second
        last = occupied.bit_count() & 1 ^ 1
        if game.has_line(second if last else first):
            return WIN_FOR[last]
        return Outcome.DRAW if occupied == game.full else None

    def why_illegal(self, move: int) -> str:
        """Return why a move is not legal."""
        game = self.game
        if self.outcome() is not None:
            return f"the game is over in {str(self)!r}"
        if 0 <= move < game.moves:
            return f"{game.places} {move + 1} is {game.filled} in {str(self)!r}"
        return f"move {quoted(numeral(move))} is not a {game.places} of {game.name}"

    @twin("lines.estimate")
    def estimate(self) -> int:
        """Weigh open lines: ten for a mark, ten times as much for every further one."""
        crosses, noughts, _ = line_totals(self.game.lines, self.first, self.second)
        return crosses - noughts

    def diagram(self) -> Diagram:
        """Return the board with the lines that are complete."""
        from arena.games.diagrams import completed, letters, numbers
        from arena.pictures.diagram import Diagram

        game, falls = self.game, self.game.look == "holes"
        is_large = has_rulers(game.columns, game.rows)
        across = numbers(game.columns) if falls else letters(game.columns)
        down = () if falls else numbers(game.rows, from_below=True)
        winners = filter(game.has_line, (self.first, self.second))
        return Diagram(
            game.columns,
            game.rows,
            str(self),
            game.look,
            across if is_large else (),
            down if is_large else (),
            completed(game.lines, winners, game.reading_order),
        )

    def picture(self) -> str:
        """Draw the board."""
        return self.draw()

    def marked_picture(self, last: int | None = None) -> str:
        """Draw the same, with the last move in brackets and a line that decided in capitals."""
        squares = () if last is None else self.move_squares(last, is_played=True)
        return self.draw(squares, decided=True)

    @abstractmethod
    def draw(self, last: tuple[int, ...] = (), decided: bool = False) -> str:
        """Draw the board with these squares in brackets. ``decided`` shows the line that
        decided.
        """

    @abstractmethod
    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return the moves by which the side wins now, ascending, in any turn."""


class Misere(LinePosition[L]):
    """A position in which the side that completes a line has lost."""

    __slots__ = ()

    def outcome(self) -> Outcome | None:
        """Return the loser's opponent as the winner, or a draw when there is no room."""
        return _REVERSED[super().outcome()]

    def winning_moves(self, side: Side) -> tuple[int, ...]:
        """Return nothing: the opponent's moves decide."""
        return ()

    def can_win(self, side: Side) -> bool:
        """Return whether the opponent may still have to complete a line."""
        return super().can_win(side.other)

    def plies_to_win(self, side: Side) -> int:
        """Return the plies until the opponent can have completed a line."""
        return super().plies_to_win(side.other)

    def estimate(self) -> int:
        """Weigh open lines as where they win, against their side."""
        return -super().estimate()

    def search_moves(self) -> tuple[int, ...]:
        """Return the moves that complete no line, else one alone: they all lose now."""
        losing = super().winning_moves(self.to_move)  # type: ignore[safe-super]
        legal = self.legal_moves()
        return tuple(move for move in legal if move not in losing) or legal[:1]
