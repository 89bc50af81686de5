"""The contract of a game: two sides, perfect information, moves in strict alternation.

A game is a subclass of :class:`Game` and its positions are immutable values of a subclass of
:class:`Position`. ``arena/games/connect4.py`` is the model to copy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import Enum, IntEnum
from typing import Self


class Side(IntEnum):
    """Who is meant: the side that moves first (x) or the one that moves second (o)."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side(1 - self)

    @property
    def letter(self) -> str:
        """``x`` for the first side, ``o`` for the second."""
        return "xo"[self]


class Outcome(Enum):
    """How a game ended."""

    FIRST_WINS = "first"
    SECOND_WINS = "second"
    DRAW = "draw"

    @property
    def winner(self) -> Side | None:
        """The side that won, None for a draw."""
        return _WINNERS[self]


_WINNERS = {Outcome.FIRST_WINS: Side.FIRST, Outcome.SECOND_WINS: Side.SECOND, Outcome.DRAW: None}

#: The outcome in which a side wins, by side.
WIN_FOR = (Outcome.FIRST_WINS, Outcome.SECOND_WINS)


class Position(ABC):
    """One state of a game: an immutable, hashable value that knows whose turn it is.

    A move is an int from 0 to 65535. Sides alternate: the first side moves at even plies.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game whose position this is."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """How many moves have been made."""

    @property
    def to_move(self) -> Side:
        """The side whose turn it is, or would be had the game not ended."""
        return Side(self.ply & 1)

    @abstractmethod
    def legal_moves(self) -> tuple[int, ...]:
        """The moves that may be made, ascending; empty exactly when the game is over."""

    @abstractmethod
    def play(self, move: int) -> Self:
        """The position after the move; IllegalMove, and nothing else, for any other int."""

    def is_legal(self, move: int | None, side: Side | None = None) -> bool:
        """Whether the move may be made; by this side, if one is named. None is no move."""
        return move in self.legal_moves() and side in (None, self.to_move)

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""

    @abstractmethod
    def picture(self) -> str:
        """The board for people, several lines without a newline at the end."""

    @abstractmethod
    def __str__(self) -> str:
        """The position as text; ``game.parse`` reads it back."""

    def canonical(self) -> Self:
        """One and the same position for all that a symmetry of the game maps to each other."""
        return self

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """The images under the game's symmetries but the identity, each with where moves go.

        Move m of this position is move ``where[m]`` of the image. Without symmetries, none.
        """
        return iter(())

    def can_win(self, side: Side) -> bool:
        """False only if it is certain that the side cannot win any more."""
        return True

    def is_dead_draw(self) -> bool:
        """True only if it is certain that the game ends as a draw, whatever is played."""
        return not (self.can_win(Side.FIRST) or self.can_win(Side.SECOND))

    def plies_to_win(self, side: Side) -> int:
        """The side wins in no fewer plies than these, however much the opponent helps it.

        More than there are plies left if it cannot win any more. The default is 1 while it can.
        Asked while the game goes on.
        """
        return 1 if self.can_win(side) else self.game.max_plies + 1

    def estimate(self) -> int:
        """How good the position looks for the first side; a guess, negative for the second.

        The default is 0. A search decides by it between moves of which it sees no other difference.
        """
        return 0

    def search_moves(self) -> tuple[int, ...]:
        """Moves for a search, best guesses first, with one of the best moves among them.

        Best as in :func:`arena.games.search.solve`: wins soonest, loses latest. The default
        is every legal move.
        """
        return self.legal_moves()


class Game(ABC):
    """The rules. Equal names mean equal rules, so a game is looked up by its name."""

    #: The name by which the game is asked for, such as ``tictactoe-4``.
    name: str
    #: Raised when the rules change; kept in results, because results under other rules differ.
    version: int = 1
    #: The rules as text, of a game whose name does not say them; programs are told.
    rules: str = ""
    #: Kinds of game that this is one of, which players may say they play beside single games.
    kinds: tuple[str, ...] = ()
    #: No game has more moves than this.
    max_plies: int

    @abstractmethod
    def start(self) -> Position:
        """The position before the first move."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """The position that the text describes; PositionError says what is wrong with it."""

    @abstractmethod
    def format_move(self, move: int) -> str:
        """The move in the game's notation."""

    @abstractmethod
    def parse_move(self, text: str) -> int:
        """The move that the notation names, legal or not; MoveError if it names none."""

    def __repr__(self) -> str:
        return f"<game {self.name}>"
