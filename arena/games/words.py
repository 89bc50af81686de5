"""Games whose positions are written as the words of all moves so far: ``K J pass bet``.

That suits games of cards and dice, which have no board. A seat sees a :class:`View` of some words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from arena.errors import IllegalMove, MoveError, PositionError, numeral, quoted
from arena.game import Game, Outcome, Position, outcome_of
from arena.games.view import View

if TYPE_CHECKING:
    from arena.disguises import Disguise
    from arena.pictures.tabletop import Tabletop

#: The text of the position before the first move.
START = "start"


_Kind = TypeVar("_Kind", bound="type[WordPosition]")

#: Keeps what a function returned at the positions of a small game, and of the kinds made of it.
_cached = lru_cache(maxsize=1 << 14, typed=True)


def remembering(kind: _Kind) -> _Kind:
    """Let the positions of a game with few histories keep what they answer.

    Games come to the same ones again and again. In a game with many it takes more than it saves.
    """
    plain: Any = kind.play
    after = _cached(plain)

    @wraps(plain)
    def play(position: WordPosition, move: int) -> WordPosition:
        # Another kind of number could be equal to a move, and a list is no key.
        result: WordPosition = after(position, move) if type(move) is int else plain(position, move)
        return result

    answers = ("legal_moves", "chance_moves", "observation", "outcome", "payoffs")
    answers_by_name: dict[str, Any] = {name: _cached(getattr(kind, name)) for name in answers}
    side: Any = kind.to_move
    for name, value in {
        **answers_by_name,
        "play": play,
        "to_move": property(_cached(side.fget)),
    }.items():
        setattr(kind, name, value)
    return kind


@_cached
def evenly(moves: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """Return moves of chance, each as likely as any other.

    >>> evenly((3, 5))
    ((3, Fraction(1, 2)), (5, Fraction(1, 2)))
    """
    share = Fraction(1, len(moves))
    return tuple((move, share) for move in moves)


class WordView(View):
    """The words that a seat saw, with a picture of the table."""

    __slots__ = ()

    def tabletop(self) -> Tabletop | None:
        """Return what lies on the table, as the seat sees it."""
        game: Any = self.game
        laid: Tabletop | None = game.laid(self.seat, self.events)
        return laid


class WordGame(Game):
    """A game with a word for each move, those of chance among them."""

    #: The words, by the numbers of the moves.
    words: tuple[str, ...]
    #: What else has another name in a disguise, such as the name of the game; None if it has none.
    telling: tuple[str, ...] | None = None
    transposes = False

    @abstractmethod
    def start(self) -> WordPosition:
        """Return the position before the first move."""

    def parse(self, text: str) -> WordPosition:
        """Read a position: the words of its moves, or ``start`` before the first one."""
        position = self.start()
        try:
            for word in text.split(" ") if text != str(position) else ():
                position = position.play(self.parse_move(word))
        except (MoveError, IllegalMove) as error:
            raise PositionError(f"position {quoted(text)}: {error}") from None
        return position

    def parse_observation(self, text: str) -> View | Position:
        """Read what a seat knows, such as ``1: J bet | pass bet``, or the position of a game that
        hides nothing.
        """
        return WordView.parse(self, text) if self.start().has_secrets else self.parse(text)

    def disguise(self, seed: int) -> Disguise | None:
        """Return the game with other words for its moves and for what is ``telling``."""
        from arena.games.disguise import WordDisguise  # few callers want another guide

        return None if self.telling is None else WordDisguise(self, self.words, self.telling, seed)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop | None:
        """Return what lies on the table after the words that a seat saw, or after all for None.

        The default returns None: pictures have the words.
        """
        return None

    def format_move(self, move: int) -> str:
        """Return the word of the move."""
        return self.words[move]

    def parse_move(self, text: str) -> int:
        """Return the move of a word."""
        if text not in self.words:
            raise MoveError(f"move {quoted(text)} is none of {', '.join(self.words)}")
        return self.words.index(text)


class _WordFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Any
    #: All moves so far, those of chance among them.
    moves: tuple[int, ...] = ()


class WordPosition(_WordFields, Position):
    """The moves so far. A subclass says by the moves what may follow, who is to move, what each
    seat sees and what a finished game pays.
    """

    __slots__ = ()

    @property
    def ply(self) -> int:
        """The number of moves so far, those of chance among them."""
        return len(self.moves)

    def play(self, move: int) -> Self:
        """Return the position after the move."""
        if move not in self.legal_moves():
            words = self.game.words
            is_word = type(move) is int and 0 <= move < len(words)
            word = words[move] if is_word else numeral(move)
            raise IllegalMove(f"move {quoted(word)} is not legal in {str(self)!r}")
        return self._replace(moves=(*self.moves, move))

    def outcome(self) -> Outcome | None:
        """Return who has the higher payoff."""
        return outcome_of(self.payoffs())

    def view(self, seat: int, seen: tuple[int, ...]) -> View:
        """Return what a seat knows that has seen these moves."""
        moves = self.legal_moves() if self.to_move == seat else ()
        return WordView(self.game, seat, tuple(map(self.game.format_move, seen)), moves)

    def picture(self) -> str:
        """Write the words of the moves."""
        return str(self)

    def tabletop(self) -> Tabletop | None:
        """Return what lies on the table."""
        laid: Tabletop | None = self.game.laid(None, tuple(map(self.game.format_move, self.moves)))
        return laid

    def __str__(self) -> str:
        return " ".join(map(self.game.format_move, self.moves)) or START
