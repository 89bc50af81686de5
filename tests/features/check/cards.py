"""A game for three to break: each gets a card that nobody else sees, and then passes or bets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError
from arena.game import CHANCE, Game, Observation, Outcome, Payoffs, Position, Side, as_seat

SEATS = 3


class _Seen(NamedTuple):
    game: Game
    seat: int
    card: int | None
    bets: tuple[int, ...]
    gone: tuple[int, ...]
    moves: tuple[int, ...]


class Hand(_Seen, Observation):
    """The card of a seat, and what all seats did."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        return self.moves

    def __str__(self) -> str:
        return repr(tuple(self[1:]))


@dataclass(frozen=True)
class Deal(Position):
    """The cards by seat, the bets in the order of the seats that play, and who has left."""

    rules: Any
    cards: tuple[int, ...] = ()
    bets: tuple[int, ...] = ()
    #: The seats that have left, and those that still bet.
    gone: tuple[int, ...] = ()
    waiting: tuple[int, ...] = tuple(range(SEATS))

    @property
    def game(self) -> Any:
        return self.rules

    @property
    def ply(self) -> int:
        return len(self.cards) + len(self.bets)

    @property
    def to_move(self) -> Side:
        if len(self.cards) < SEATS:
            return CHANCE
        return as_seat(self.waiting[0] if self.waiting else 0)

    def legal_moves(self) -> tuple[int, ...]:
        return (0, 1) if self.waiting else ()

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        return (0, Fraction(1, 2)), (1, Fraction(1, 2))

    def play(self, move: int) -> Self:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} is no bet")
        if len(self.cards) < SEATS:
            return self.changed(cards=(*self.cards, move))
        return self.changed(bets=(*self.bets, move), waiting=self.waiting[1:])

    def without(self, seat: int) -> Self | None:
        position: Self | None = self.game.leaves(self, seat)
        return position

    def changed(self, **fields: Any) -> Self:
        """Return the position with other fields."""
        return type(self)(**{**vars(self), **fields})

    def left(self, seat: int) -> Self:
        """Return the position in which the seat has left."""
        waiting = tuple(other for other in self.waiting if other != seat)
        return self.changed(gone=tuple(sorted({*self.gone, seat})), waiting=waiting)

    def payoffs(self) -> tuple[Fraction, ...] | None:
        if self.waiting or len(self.cards) < SEATS:
            return None
        best = max(self.cards)
        share = Fraction(1, self.cards.count(best))
        return tuple(share * (card == best) for card in self.cards)

    def outcome(self) -> Outcome | None:
        return None if self.payoffs() is None else Outcome.OVER

    def observation(self, seat: int) -> Any:
        return self.game.shows(self, seat)

    def hand(self, seat: int) -> Hand:
        """Return what the seat knows."""
        card = self.cards[seat] if len(self.cards) > seat else None
        moves = self.legal_moves() if int(self.to_move) == seat else ()
        return Hand(self.game, seat, card, self.bets, self.gone, moves)

    def picture(self) -> str:
        return str(self)

    def __str__(self) -> str:
        written = ("".join(map(str, part)) for part in vars(self).values() if type(part) is tuple)
        return "/".join(written)


class Cards(Game):
    """The rules, with what a seat sees and how it leaves."""

    name = "cards"
    seats = SEATS
    max_plies = 2 * SEATS
    payoffs = Payoffs(0, 1, "points", 1)

    def __init__(
        self,
        shows: Callable[[Deal, int], Observation] = Deal.hand,
        leaves: Callable[[Deal, int], object] = Deal.left,
        reads: Callable[[Deal], Deal] = Deal.changed,
    ) -> None:
        self.shows, self.leaves, self.reads = shows, leaves, reads

    def start(self) -> Deal:
        return Deal(self)

    def parse(self, text: str) -> Position:
        if not re.fullmatch("(?:[01]{0,2}/|[01]{3}/[01]{0,3})/0?1?2?/0?1?2?", text):
            raise PositionError(f"no deal: {text!r}")
        parts = (tuple(map(int, part)) for part in text.split("/"))
        return self.reads(Deal(self, *parts))

    def parse_observation(self, text: str) -> Hand:
        for deal in _deals(self.start()):
            for seat in range(SEATS):
                if str(hand := deal.hand(seat)) == text:
                    return hand
        raise PositionError(f"no hand: {text!r}")

    def format_move(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        if text not in ("0", "1"):
            raise MoveError(f"no bet: {text!r}")
        return int(text)


def _deals(deal: Deal) -> list[Deal]:
    after = [] if deal.payoffs() is not None else [deal.play(move) for move in (0, 1)]
    return [deal, *(each for one in after for each in _deals(one))]
