"""Represent games for more than two by the order in which the players ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, quoted
from arena.game import Game, Outcome, Position, Side, as_seat

#: The text of a position of which nothing is known yet.
BEFORE_VERDICT = "start"


def shares_beaten(scores: Sequence[float]) -> tuple[Fraction, ...]:
    """Return for each score the share of the others that it beats, an equal one for half.

    >>> shares_beaten((3, 0, 3))
    (Fraction(3, 4), Fraction(0, 1), Fraction(3, 4))
    """
    halves = [sum((score > other) + (score >= other) for other in scores) - 1 for score in scores]
    return tuple(Fraction(number, 2 * len(scores) - 2) for number in halves)


class _Places(NamedTuple):
    game: Game
    #: How many others are before each seat, of the seats from the first.
    before: tuple[int, ...]


class RankedPosition(_Places, Position):
    """A game for more than two, with the places of its first seats: of all when it is over."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """The number of seats whose place is known."""
        return len(self.before)

    @property
    def to_move(self) -> Side:
        """The seat whose place is the next."""
        return as_seat(min(self.ply, self.game.seats - 1))

    def legal_moves(self) -> tuple[int, ...]:
        """Return the places less one that the next seat can have, none when all are known."""
        seats = self.game.seats
        if self.ply == seats:
            return ()
        return tuple(n for n in range(seats) if _is_order((*self.before, n), seats))

    def play(self, move: int) -> Self:
        """Return the position after a seat has this place."""
        if move not in self.legal_moves():
            raise IllegalMove(f"{move + 1} is not a place of seat {self.ply + 1} in {str(self)!r}")
        return type(self)(self.game, (*self.before, move))

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return what the places pay. Where scores are payoffs, the game's record has those."""
        return shares_beaten([-n for n in self.before]) if self.outcome() else None

    def outcome(self) -> Outcome | None:
        """Return that the game is over once all places are known."""
        return Outcome.OVER if self.ply == self.game.seats else None

    def picture(self) -> str:
        """Return the places, as there is no board."""
        return str(self)

    def __str__(self) -> str:
        return "-".join(str(n + 1) for n in self.before) or BEFORE_VERDICT


def _is_order(before: Sequence[int], seats: int) -> bool:
    """Return whether some ranking of all seats has these numbers for the first of them.

    Equal ones stand at one place, and take as many of the places as they are.
    """
    equal = sorted(Counter(before).items())
    ends = [place + number for place, number in equal]
    starts = [place for place, _ in equal[1:]]
    return all(end <= start for end, start in zip(ends, [*starts, seats], strict=True))


def ranked(game: Game, text: str) -> RankedPosition:
    """Return the position with these places. Raises PositionError for another text."""
    position = RankedPosition(game, ())
    try:
        for word in text.split("-"):
            position = position.play(game.parse_move(word))
    except (IllegalMove, MoveError) as error:
        raise PositionError(
            f"{quoted(text)} has no places of {game.seats} seats: {error}"
        ) from error
    return position
