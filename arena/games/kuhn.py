"""Kuhn poker: a card for each of two players, an ante of one chip, and one bet of one chip.

A player passes or bets. To pass a bet folds, to bet after a bet calls it. The higher card wins.
The rules are those of Kuhn, "A simplified two-person poker" (1950).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from arena.game import CHANCE, Payoffs, Side
from arena.games.sealed import SealedGame
from arena.games.view import View
from arena.games.words import WordGame, WordPosition, evenly, remembering

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

_PASS, _BET = 0, 1

#: The moves of chance, which deal a card. They ascend as the cards do.
_CARDS = (2, 3, 4)

#: The ends of a game by the moves of the players: the chips that are won, and the seat that wins
#: them, None for the one with the higher card.
_ENDS: dict[tuple[int, ...], tuple[int, int | None]] = {
    (_PASS, _PASS): (1, None),
    (_PASS, _BET, _PASS): (1, 1),
    (_BET, _PASS): (1, 0),
    (_PASS, _BET, _BET): (2, None),
    (_BET, _BET): (2, None),
}


@remembering
class KuhnPosition(WordPosition):
    """Two cards, and the moves since."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """Chance until both have a card. Then the first side begins."""
        return CHANCE if self.ply < 2 else Side(self.ply & 1)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the cards that are not dealt, each as likely as any other."""
        return evenly(self.legal_moves())

    def legal_moves(self) -> tuple[int, ...]:
        """Return the cards to deal, or pass and bet."""
        if self.ply < 2:
            return tuple(card for card in _CARDS if card not in self.moves)
        return () if self.moves[2:] in _ENDS else (_PASS, _BET)

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the chips that each seat wins."""
        if (end := _ENDS.get(self.moves[2:])) is None:
            return None
        chips, winner = end
        if winner is None:
            winner = int(self.moves[1] > self.moves[0])
        return (Fraction(chips), Fraction(-chips))[:: 1 - 2 * winner]

    def observation(self, seat: int) -> View:
        """Return the card of the seat, and the moves of both."""
        return self.view(seat, (*self.moves[:2][seat : seat + 1], *self.moves[2:]))


class Kuhn(SealedGame, WordGame):
    """The rules of Kuhn poker. Get the game from :func:`kuhn_game`."""

    name = "kuhn"
    words = ("pass", "bet", "J", "Q", "K")
    telling = ("Kuhn poker", "card", "chip", "pot")
    max_plies = 5
    payoffs = Payoffs(Fraction(-2), Fraction(2), "chips", Fraction(0))
    _sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            "Kuhn poker. There are three cards: J, Q and K, of which K is the highest. Each of two"
            " players puts one chip into the pot and gets a card that the other does not see. Then"
            " they take turns to choose pass or bet, and a bet puts one chip more into the pot. Who"
            " chooses pass after a bet gives up the pot. After pass twice, or bet twice, the higher"
            " card wins the pot. The game pays the chips that a player won from the other."
        )

    def start(self) -> KuhnPosition:
        """Return the position before the first card."""
        return KuhnPosition(self)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop:
        """Return both hands and the bets."""
        from arena.pictures.tabletop import card, hands

        cards = [card(word) for word in words if word in self.words[_CARDS[0] :]]
        return hands(seat, [[each] for each in cards], [], words[len(cards) :])

    def __reduce__(self) -> tuple[Any, ...]:
        return kuhn_game, ()


@cache
def kuhn_game() -> Kuhn:
    """Return Kuhn poker.

    >>> print(kuhn_game().parse("K J pass bet").observation(0))
    0: K pass bet | pass bet
    """
    return Kuhn()
