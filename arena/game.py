"""Define the contract of a game: its rules, its positions, and what a seat knows of one.

A game is a subclass of :class:`Game` and its positions are immutable values of a subclass of
:class:`Position`. ``docs/tutorial-game.md`` writes two, and ``arena/games/nim.py`` is one to copy.
A game that hides something also has :class:`Observation`, as ``arena/games/kuhn.py`` shows.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, SupportsIndex, cast

from arena.errors import GameFault, quoted
from arena.seats import state_of

if TYPE_CHECKING:
    from fractions import Fraction

    from arena.disguises import Disguise
    from arena.pictures.diagram import Diagram
    from arena.pictures.tabletop import Tabletop

#: Largest number of a move.
MAX_MOVE = 65_535


class Side(IntEnum):
    """A side: the one that moves first (x) or the one that moves second (o)."""

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
    """The end of a game."""

    FIRST_WINS = "first"
    SECOND_WINS = "second"
    DRAW = "draw"
    #: The end of a game for more than two seats, whose payoffs tell more.
    OVER = "over"

    @property
    def winner(self) -> Side | None:
        """The side that won. None for a draw, and in a game for more than two seats."""
        return _WINNERS.get(self)


_WINNERS = {Outcome.FIRST_WINS: Side.FIRST, Outcome.SECOND_WINS: Side.SECOND}

#: The outcome in which a side wins, by side.
WIN_FOR = (Outcome.FIRST_WINS, Outcome.SECOND_WINS)

#: The doubled points of the player that moved first, by outcome.
POINTS = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}

#: The value of ``to_move`` where chance moves: no player is asked.
CHANCE: Final[Side] = cast("Side", -1)


def as_seat(number: int, seats: int = 3) -> Side:
    """Return a seat, from 0, with the type of ``to_move``: it is a Side where there are two."""
    return Side(number) if seats == 2 else cast("Side", number)


#: The word for games in which chance moves.
LUCK = "luck"


class Payoffs(NamedTuple):
    """The payoffs that a game can have for a seat."""

    #: The least and the most that a game pays a seat.
    least: Fraction | int = 0
    most: Fraction | int = 1
    #: The unit in words for several of it: ``points``, ``chips``, ``years``.
    unit: str = "points"
    #: The sum of the payoffs of all seats, None if it is not constant.
    total: Fraction | int | None = 1


class Observation(ABC):
    """The knowledge of one seat: an immutable, hashable value that does not lead to the position.

    Two observations are equal exactly when the seat cannot tell the two situations apart. So it has
    everything that the seat saw and did. :class:`arena.games.view.View` serves most games.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game."""

    @property
    @abstractmethod
    def seat(self) -> int:
        """The seat that knows this."""

    @abstractmethod
    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat, ascending. Return none while it is not to move."""

    def is_legal(self, move: int | None) -> bool:
        """Return whether the seat may make the move now. None is not a move."""
        return move in self.legal_moves()

    @abstractmethod
    def __str__(self) -> str:
        """Return the observation as text. ``game.parse_observation`` reads it back."""

    def picture(self) -> str:
        """Draw it for humans, in several lines without a newline at the end."""
        return str(self)

    def svg(self) -> str:
        """Draw it as SVG that stands alone: the board, or what lies on the table."""
        from arena.pictures import positions  # a caller that does not look need not wait for it

        return positions.svg_seen(self, self.seat)

    def _repr_svg_(self) -> str:
        return self.svg()

    def diagram(self) -> Diagram | None:
        """Return the board as the seat sees it. The default returns None: there is none."""
        return None

    def tabletop(self) -> Tabletop | None:
        """Return the cards, dice and words that the seat sees. The default returns None."""
        return None


class Position(ABC):
    """One state of a game: an immutable, hashable value that knows whose turn it is.

    A move is an int from 0 to 65535. The position alone says who makes it, by :attr:`to_move`: the
    sides need not alternate. A pass is a move like any other, or the game lets the same side move
    again. Equal positions answer every question alike, also after pickling.
    """

    __slots__ = ()

    #: Whether :attr:`to_move` follows from the ply, as arena may then skip to ask for it. A class
    #: that defines its own ``to_move`` has False unless it says otherwise.
    alternates: ClassVar[bool] = True

    #: Whether chance moves in its games, and whether a seat may not see all. A class has them if
    #: it defines ``chance_moves`` or ``observation``.
    has_luck: ClassVar[bool] = False
    has_secrets: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Show positions that are named tuples, too, as positions."""
        super().__init_subclass__()
        cls.has_luck = cls.chance_moves is not Position.chance_moves
        cls.has_secrets = cls.observation is not Position.observation
        if "to_move" in vars(cls) and "alternates" not in vars(cls):
            cls.alternates = False
        shows = next(kind for kind in cls.__mro__ if "__repr__" in vars(kind))
        if not issubclass(shows, Position):
            cls.__repr__ = Position.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}, {state_of(self)}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game of this position."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The number of moves so far, passes among them."""

    @property
    def to_move(self) -> Side:
        """The side to move, or ``CHANCE``. After the end it is any side.

        By default the sides alternate, from the first. More than two have a :func:`as_seat` each.
        """
        return Side(self.ply & 1)

    @abstractmethod
    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, ascending. The result is empty exactly when the game is over."""

    @abstractmethod
    def play(self, move: int) -> Self:
        """Return the position after the move. Raises IllegalMove alone, for any other int."""

    def is_legal(self, move: int | None, side: Side | None = None) -> bool:
        """Return whether the move is legal, by this side if one is named. None is not a move."""
        return move in self.legal_moves() and side in (None, self.to_move)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return every move that chance may make, ascending, with its probability above 0.

        The probabilities add up to 1. Callers ask where ``to_move`` is ``CHANCE`` only. There
        ``legal_moves`` returns the same moves.
        """
        raise NotImplementedError(f"{type(self).__name__} has no chance_moves()")

    def observation(self, seat: int) -> Observation | Position:
        """Return what the seat knows. By default that is the position: the game hides nothing."""
        return self

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the payoff of each seat, None while the game goes on.

        The default follows :meth:`outcome`: of two, 1 for a win, 1/2 for a draw and 0 for a loss.
        """
        from fractions import Fraction  # a player's process need not wait for it

        if (outcome := self.outcome()) is None:
            return None
        share = Fraction(POINTS[outcome], 2)
        return share, 1 - share

    def without(self, seat: int) -> Self | None:
        """Return how the game goes on, or has ended, when a seat of more than two leaves it.

        Its player has forfeited: it gets the least payoff, and is not to move any more. The default
        returns None: the others cannot go on, and :meth:`Game.forfeit_payoffs` says what they get.
        """
        return None

    def worth(self) -> Fraction | float | None:
        """Return about what the first seat gets on average from here on, in the game's unit.

        ``--luck corrected --value game`` takes luck out of payoffs by it, which is right for any
        numbers and saves more games the better they are. The default returns None.
        """
        return None

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on: by :func:`outcome_of` other payoffs."""

    @abstractmethod
    def picture(self) -> str:
        """Draw the board for humans, in several lines without a newline at the end."""

    def marked_picture(self, last: int | None = None) -> str:
        """Draw the :meth:`picture` with marks at the ``last`` move and at a line that decided.

        The default marks nothing.
        """
        return self.picture()

    def svg(self, last: int | None = None, marks: Mapping[int, object] | None = None) -> str:
        """Draw the board as SVG that stands alone, with the ``last`` move pointed out.

        ``marks`` says something short of legal moves, where each goes. A game may draw its own.
        """
        from arena.pictures import positions  # a caller that does not look need not wait for it

        return positions.svg(self, state_of(self), last, marks or {})

    def diagram(self) -> Diagram | None:
        """Return the squares of the board and what stands on them, None if it is not a board.

        The default reads them from the position's text, as :func:`arena.pictures.diagram.grid_of`
        tells. :meth:`svg` draws what it returns, or else the :meth:`tabletop`.
        """
        from arena.pictures.diagram import grid_of

        return grid_of(str(self), self.game.columns, self.game.rows)

    def tabletop(self) -> Tabletop | None:
        """Return the cards, dice and words on the table, for a game without a board.

        The default returns None. :meth:`svg` draws what it returns, or else :meth:`picture`.
        """
        return None

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the squares of the diagram to which a legal move goes, or the last move went.

        The default takes a move for the number of a square, which is free only before the move.
        """
        from arena.pictures.positions import square_of

        return square_of(self, move, is_played)

    @abstractmethod
    def __str__(self) -> str:
        """Return the position as text. ``game.parse`` reads it back."""

    def write_move(self, move: int) -> str:
        """Return a legal move as people write it here. The default is ``game.format_move``."""
        return self.game.format_move(move)

    def read_move(self, text: str) -> int:
        """Return the move that people write so here. Raises MoveError for another text.

        The default is ``game.parse_move``. With its own :meth:`write_move` a game reads both.
        """
        return self.game.parse_move(text)

    def canonical(self) -> Self:
        """Return the same position for all that a symmetry maps to each other."""
        return self

    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        """Return the images under the game's symmetries except the identity, each with its moves.

        Move m of this position is move ``where[m]`` of the image. The default yields none.
        """
        return iter(())

    def history(self) -> tuple[int, ...] | None:
        """Return the moves from the start, or None, as usual, if it does not know them."""
        return None

    def can_win(self, side: Side) -> bool:
        """Return False only if the side certainly cannot win any more."""
        return True

    def is_dead_draw(self) -> bool:
        """Return True only if every continuation certainly ends as a draw."""
        return not (self.can_win(Side.FIRST) or self.can_win(Side.SECOND))

    def plies_to_win(self, side: Side) -> int:
        """Return a number of plies before which the side cannot win, even with the opponent's help.

        It is more than are left if the side cannot win any more. The default is 1 while it can.
        Callers ask only while the game goes on.
        """
        return 1 if self.can_win(side) else self.game.max_plies + 1

    def estimate(self) -> int:
        """Guess how good the position is for the first side. Negative is good for the second.

        The default is 0. A search decides by it where it knows no better.
        """
        return 0

    def search_moves(self) -> tuple[int, ...]:
        """Return moves for a search, best guesses first, with one of the best moves among them.

        Best is as in :func:`arena.games.search.solve`. The default is every legal move.
        """
        return self.legal_moves()

    def play_out(self, rng: random.Random) -> Outcome:
        """Return how a game of random moves from here ends, each legal move as likely as any other.

        A game that has a quicker way than the default, move by move, may take it.
        """
        position, draw = self, rng.random
        while (outcome := position.outcome()) is None:
            moves = position.legal_moves()
            position = position.play(moves[int(draw() * len(moves))])
        return outcome


def outcome_of(payoffs: Sequence[Fraction] | None) -> Outcome | None:
    """Return the outcome that payoffs imply: OVER of more than two seats, None without payoffs."""
    if payoffs is None:
        return None
    if len(payoffs) != 2:
        return Outcome.OVER
    first, second = payoffs
    if first == second:
        return Outcome.DRAW
    return Outcome.FIRST_WINS if first > second else Outcome.SECOND_WINS


class Game(ABC):
    """The rules of a game. Games of a class are equal if their names are: they have equal rules."""

    #: Name of the game, such as ``tictactoe-4``.
    name: str
    #: Version of the rules; results keep it, because results under other rules differ.
    version: int = 1
    #: The rules as text, for a game whose name does not define them; programs get it.
    rules: str = ""
    #: Kinds of game that this is one of; players may declare kinds as well as single games.
    kinds: tuple[str, ...] = ()
    #: Largest number of moves of a game.
    max_plies: int
    #: Number of seats, from 2 to 8.
    seats: int = 2
    #: The payoffs that a seat can have.
    payoffs: Payoffs = Payoffs()
    #: Columns and rows of the board; 0 for a game without one.
    columns: int = 0
    rows: int = 0
    #: Modules that its rules import by name, besides those that its class is made of.
    modules: tuple[str, ...] = ()
    #: True if a referee plays its games as a whole: see :mod:`arena.match.refereed`.
    is_refereed: ClassVar[bool] = False
    #: Lines of Python that a search executes for a position, on average; 0 if arena counts them.
    effort: ClassVar[int] = 0
    #: Whether different lines of moves can lead to equal positions, which shortens a search.
    transposes: bool = True

    @abstractmethod
    def start(self) -> Position:
        """Return the position before the first move."""

    def starts(self) -> Sequence[Position]:
        """Return where a game may begin, for openings of the name ``starts``: by default here."""
        return (self.start(),)

    @property
    def guide(self) -> str:
        """The rules in sentences, for people and language models; empty if it has none."""
        return ""

    def disguise(self, seed: int) -> Disguise | None:
        """Return the game in other words, which the seed draws. The default returns None."""
        return None

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The words of what few games have, for messages: luck, secrets, payoffs, seats."""
        start = self.start()
        has = {
            LUCK: start.has_luck,
            "secrets": start.has_secrets,
            f"payoffs in {self.payoffs.unit}": self.payoffs != Payoffs(),
            f"{self.seats} seats": self.seats > 2,
        }
        return tuple(word for word, is_there in has.items() if is_there)

    @property
    def is_paid(self) -> bool:
        """Whether it pays something other than the win, draw and loss of two sides."""
        return self.seats > 2 or self.payoffs != Payoffs()

    def forfeit_payoffs(self, seat: int) -> tuple[Fraction, ...]:
        """Return the payoff of each seat in a game that this seat forfeits.

        By default it gets the least. The others share the rest of a constant sum, or get the most.
        """
        from fractions import Fraction  # a player's process need not wait for it

        least, most, _, total = self.payoffs
        others = most if total is None else Fraction(total - least) / (self.seats - 1)
        payoffs = [Fraction(others)] * self.seats
        payoffs[seat] = Fraction(least)
        return tuple(payoffs)

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Return the position that the text describes. Raises PositionError with the problem."""

    def parse_observation(self, text: str) -> Observation | Position:
        """Return the observation of a text: by default a position, as :meth:`parse` does."""
        return self.parse(text)

    @abstractmethod
    def format_move(self, move: int) -> str:
        """Return the move in the game's notation."""

    @abstractmethod
    def parse_move(self, text: str) -> int:
        """Return the move in the notation, legal or not. Raises MoveError for another text."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Return how pickle makes the game. Raises GameFault if a base class makes its own game."""
        reduced: Any = super().__reduce_ex__(protocol)
        kind = type(self)
        inherits = "__reduce__" not in vars(kind) and kind.__reduce__ is not object.__reduce__
        if inherits and (other := reduced[0](*reduced[1])) != self:
            raise GameFault(
                f"game {quoted(self.name)} would be a {type(other).__name__} in another process:"
                f" give {kind.__name__} a __reduce__ that returns the class and its arguments"
            )
        return reduced

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<game {self.name}>"
