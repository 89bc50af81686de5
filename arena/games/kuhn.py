"""Kuhn poker: a card for each of two players, an ante of one chip, and one bet of one chip.

A player passes or bets. To pass a bet folds, to bet after a bet calls it. The higher card wins.
The rules are those of Kuhn, "A simplified two-person poker" (1950).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, numeral, quoted
from arena.game import CHANCE, Outcome, Payoffs, Position, Side, outcome_of
from arena.games.sealed import SealedGame
from arena.games.view import View

#: The moves by their numbers: those of the players, and those of chance, which deal a card. The
#: cards ascend.
MOVES = ("pass", "bet", "J", "Q", "K")
PASS, BET = 0, 1
CARDS = (2, 3, 4)

#: The lines of play that end a game, with the chips that the higher card wins, or None and the
#: seat that wins one chip because the other folded.
_ENDS: dict[tuple[int, ...], tuple[int, int | None]] = {
    (PASS, PASS): (1, None),
    (PASS, BET, PASS): (1, 1),
    (BET, PASS): (1, 0),
    (PASS, BET, BET): (2, None),
    (BET, BET): (2, None),
}


class _Fields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Kuhn
    #: The cards that are dealt, by seat.
    cards: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()


class KuhnPosition(_Fields, Position):
    """The cards that are dealt, and the moves since."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """The number of moves so far, those of chance among them."""
        return len(self.cards) + len(self.moves)

    @property
    def to_move(self) -> Side:
        """Chance until both have a card. Then the first side begins."""
        return CHANCE if len(self.cards) < 2 else Side(len(self.moves) & 1)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the cards that are not dealt, each as likely as any other."""
        cards = [card for card in CARDS if card not in self.cards]
        return tuple((card, Fraction(1, len(cards))) for card in cards)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the cards to deal, or pass and bet."""
        if len(self.cards) < 2:
            return tuple(card for card, _ in self.chance_moves())
        return () if self.moves in _ENDS else (PASS, BET)

    def play(self, move: int) -> Self:
        """Return the position after the card is dealt, or the move is made."""
        if move not in self.legal_moves():
            raise IllegalMove(f"move {quoted(numeral(move))} is not legal in {str(self)!r}")
        if len(self.cards) < 2:
            return self._replace(cards=(*self.cards, move))
        return self._replace(moves=(*self.moves, move))

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the chips that each seat wins."""
        if (end := _ENDS.get(self.moves)) is None:
            return None
        chips, folded = end
        winner = folded if folded is not None else int(self.cards[1] > self.cards[0])
        return (Fraction(chips), Fraction(-chips))[:: 1 if winner == 0 else -1]

    def outcome(self) -> Outcome | None:
        """Return who wins chips."""
        return outcome_of(self.payoffs())

    def observation(self, seat: int) -> View:
        """Return the card of the seat, and all moves, which are open."""
        events = (*self.cards[seat : seat + 1], *self.moves)
        moves = self.legal_moves() if self.to_move == seat else ()
        return View(self.game, seat, tuple(MOVES[move] for move in events), moves)

    def picture(self) -> str:
        """Write the cards and the moves."""
        return str(self)

    def __str__(self) -> str:
        return " ".join(MOVES[move] for move in (*self.cards, *self.moves)) or "-"


class Kuhn(SealedGame):
    """The rules of Kuhn poker. Get the game from :func:`kuhn_game`."""

    name = "kuhn"
    max_plies = 5
    transposes = False
    payoffs = Payoffs(Fraction(-2), Fraction(2), "chips", Fraction(0))

    def __init__(self) -> None:
        self._sealed = True

    def start(self) -> KuhnPosition:
        """Return the position before the first card."""
        return KuhnPosition(self)

    def parse(self, text: str) -> KuhnPosition:
        """Read a position such as ``K J pass bet``, or ``-`` before the first card."""
        position = self.start()
        try:
            for word in text.split(" ") if text != str(position) else ():
                position = position.play(self.parse_move(word))
        except (MoveError, IllegalMove) as error:
            raise PositionError(f"position {quoted(text)}: {error}") from None
        return position

    def parse_observation(self, text: str) -> View:
        """Read what a seat knows, such as ``1: J bet | pass bet``."""
        return View.parse(self, text)

    def format_move(self, move: int) -> str:
        """Return ``pass`` or ``bet``, or the card that chance deals."""
        return MOVES[move]

    def parse_move(self, text: str) -> int:
        """Return the move of such a word."""
        if text not in MOVES:
            raise MoveError(f"move {quoted(text)} is none of {', '.join(MOVES)}")
        return MOVES.index(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return kuhn_game, ()


@cache
def kuhn_game() -> Kuhn:
    """Return Kuhn poker.

    >>> print(kuhn_game().parse("K J pass bet").observation(0))
    0: K pass bet | pass bet
    """
    return Kuhn()
