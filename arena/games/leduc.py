"""Leduc hold'em: six cards, two rounds of bets, and a card for both after the first round.

Each of two players puts in one chip and gets a card. In a round a player folds, calls or raises, by
two chips in the first round and by four in the second, and two raises at most are made. A pair with
the open card wins, else the higher rank. The rules are those of Southey et al., "Bayes' bluff:
opponent modelling in poker" (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.game import CHANCE, Payoffs, Side
from arena.games.sealed import SealedGame
from arena.games.view import View
from arena.games.words import WordGame, WordPosition, evenly, remembering

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

_FOLD, _CALL, _RAISE = 0, 1, 2

#: The moves of chance, which deal a card of one of two suits.
_CARDS = tuple(range(3, 9))

#: How pictures show the suits.
_SUITS = {"1": "♠", "2": "♥"}

#: The chips of a raise, by round, and the raises of a round.
_RAISES = (2, 4)
MAX_RAISES = 2


class _Bets(NamedTuple):
    """The bets by the moves so far."""

    #: The chips that each seat has put in.
    chips: tuple[int, int] = (1, 1)
    #: The moves of the round, and the number of rounds that are over.
    betting: tuple[int, ...] = ()
    rounds: int = 0
    folded: int | None = None

    @property
    def seat(self) -> int:
        """The seat that bets next: the first side begins each round."""
        return len(self.betting) & 1

    @property
    def is_over(self) -> bool:
        """Whether the betting is over."""
        return self.folded is not None or self.rounds == len(_RAISES)

    def legal(self) -> tuple[int, ...]:
        """Return what the seat may do."""
        folds = (_FOLD,) if self.chips[self.seat] < max(self.chips) else ()
        raises = (_RAISE,) if self.betting.count(_RAISE) < MAX_RAISES else ()
        return (*folds, _CALL, *raises)

    def after(self, move: int) -> _Bets:
        """Return the bets after a move of the seat."""
        if move == _FOLD:
            return self._replace(folded=self.seat)
        stake = max(self.chips) + (_RAISES[self.rounds] if move == _RAISE else 0)
        chips = (stake, self.chips[1]) if self.seat == 0 else (self.chips[0], stake)
        if move == _CALL and self.betting:
            return _Bets(chips, (), self.rounds + 1)
        return self._replace(chips=chips, betting=(*self.betting, move))


@cache
def _bets(moves: tuple[int, ...]) -> _Bets:
    """Return the bets after these moves of players."""
    return _bets(moves[:-1]).after(moves[-1]) if moves else _Bets()


@cache  # of 9,457 histories
def _cards_and_bets(moves: tuple[int, ...]) -> tuple[tuple[int, ...], _Bets]:
    """Return the cards that are dealt in a history, and the bets."""
    cards = tuple(move for move in moves if move >= _CARDS[0])
    return cards, _bets(tuple(move for move in moves if move < _CARDS[0]))


def _undealt(moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards that are not dealt in a history."""
    return tuple(card for card in _CARDS if card not in moves)


def _rank(card: int) -> int:
    return (card - _CARDS[0]) // 2


@remembering
class LeducPosition(WordPosition):
    """The cards that are dealt, and the bets."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[int, ...]:
        """The card of each seat, then the open one, as far as they are dealt."""
        return _cards_and_bets(self.moves)[0]

    @property
    def bets(self) -> _Bets:
        """The bets so far."""
        return _cards_and_bets(self.moves)[1]

    @property
    def to_move(self) -> Side:
        """Chance until both have a card, and after the first round."""
        bets = self.bets
        return CHANCE if len(self.cards) < 2 + bets.rounds and not bets.is_over else Side(bets.seat)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the cards that are not dealt, each as likely as any other."""
        return evenly(_undealt(self.moves))

    def legal_moves(self) -> tuple[int, ...]:
        """Return the cards to deal, or what the seat may do with its chips."""
        bets = self.bets
        if bets.is_over:
            return ()
        if self.to_move == CHANCE:
            return _undealt(self.moves)
        return bets.legal()

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the chips that each seat wins."""
        bets = self.bets
        if not bets.is_over:
            return None
        winner = self._best_hand() if bets.folded is None else 1 - bets.folded
        won = Fraction(0 if winner is None else bets.chips[1 - winner])
        return (-won, won) if winner else (won, -won)

    def _best_hand(self) -> int | None:
        """Return the seat with the better hand, None if both are equal."""
        first, second, shared = map(_rank, self.cards)
        if first == second:
            return None
        return int(shared == second or (shared != first and second > first))

    def observation(self, seat: int) -> View:
        """Return the seat's card, the open one, and all bets."""
        # The card of the other is the first or the second that is dealt.
        return self.view(seat, tuple(m for i, m in enumerate(self.moves) if i != 1 - seat))


class Leduc(SealedGame, WordGame):
    """The rules of Leduc hold'em. Get the game from :func:`leduc_game`."""

    name = "leduc"
    words = ("fold", "call", "raise", "J1", "J2", "Q1", "Q2", "K1", "K2")
    max_plies = 11
    payoffs = Payoffs(Fraction(-13), Fraction(13), "chips", Fraction(0))
    _sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            "Leduc hold'em. There are six cards: J, Q and K in two suits, as J1 and J2. Each of two"
            " players puts one chip into the pot and gets a card that the other does not see. There"
            " are two rounds of bets, and between them a card is laid open. In a round the players"
            " take turns, the first player first, to fold, call or raise. Who folds gives up the"
            " pot, and can do so only when there is a raise to meet. A call meets it, or waits"
            " where there is none. A raise is two chips more in the first round and four in the"
            " second, and there are two at most in a round. A player whose card has the rank of the"
            " open one wins, else the higher rank does, and K is the highest. Equal ranks share the"
            " pot. The game pays the chips that a player won from the other."
        )

    def start(self) -> LeducPosition:
        """Return the position before the first card."""
        return LeducPosition(self)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop:
        """Return both hands, the open card and the bets."""
        from arena.pictures.tabletop import card, hands

        of_cards = self.words[_CARDS[0] :]
        dealt = [word for word in words if word in of_cards]
        cards = [card(f"{word[0]}{_SUITS[word[1]]}") for word in dealt]
        copies = 2 if seat is None else 1
        bets = [word for word in words if word not in of_cards]
        return hands(seat, [[each] for each in cards[:copies]], cards[copies:], bets)

    def __reduce__(self) -> tuple[Any, ...]:
        return leduc_game, ()


@cache
def leduc_game() -> Leduc:
    """Return Leduc hold'em.

    >>> print(leduc_game().parse("K1 J2 call raise").observation(0))
    0: K1 call raise | fold call raise
    """
    return Leduc()
