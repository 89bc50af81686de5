"""Leduc hold'em: six cards, two rounds of bets, and a card for both after the first round.

Each of two players puts in one chip and gets a card. In a round a player folds, calls or raises, by
two chips in the first round and by four in the second, and two raises at most are made. A pair with
the open card wins, else the higher rank. The rules are those of Southey et al., "Bayes' bluff:
opponent modelling in poker" (2005).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, MoveError, PositionError, numeral, quoted
from arena.game import CHANCE, Outcome, Payoffs, Position, Side, outcome_of
from arena.games.sealed import SealedGame
from arena.games.view import View

#: The moves by their numbers: those of the players, and those of chance, which deal a card of one
#: of two suits. The ranks ascend.
MOVES = ("fold", "call", "raise", "J1", "J2", "Q1", "Q2", "K1", "K2")
FOLD, CALL, RAISE = 0, 1, 2
CARDS = tuple(range(3, 9))

#: The chips of a raise, by round, and the raises of a round.
RAISES = (2, 4)
MAX_RAISES = 2


def _rank(card: int) -> int:
    return (card - CARDS[0]) // 2


class _Fields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Leduc
    #: All moves so far, those of chance among them.
    moves: tuple[int, ...] = ()
    #: The card of each seat, then the open one.
    cards: tuple[int, ...] = ()
    #: The chips that each seat has put in.
    chips: tuple[int, int] = (1, 1)
    #: The moves of the round.
    betting: tuple[int, ...] = ()
    #: The seat that moves next, unless chance does.
    turn: int = 0
    folded: int | None = None
    is_over: bool = False


class LeducPosition(_Fields, Position):
    """The cards that are dealt, the chips, and the moves of the round."""

    __slots__ = ()

    @property
    def ply(self) -> int:
        """The number of moves so far, those of chance among them."""
        return len(self.moves)

    @property
    def to_move(self) -> Side:
        """Chance until both have a card, and after the first round. Then the first side begins."""
        return CHANCE if self._deals else Side(self.turn)

    @property
    def _deals(self) -> bool:
        return not self.is_over and (len(self.cards) < 2 or self._second_begins)

    @property
    def _second_begins(self) -> bool:
        return len(self.cards) == 2 and _is_round_over(self.betting)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the cards that are not dealt, each as likely as any other."""
        cards = [card for card in CARDS if card not in self.cards]
        return tuple((card, Fraction(1, len(cards))) for card in cards)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the cards to deal, or what the seat may do with its chips."""
        if self.is_over:
            return ()
        if self._deals:
            return tuple(card for card in CARDS if card not in self.cards)
        folds = (FOLD,) if self.chips[self.turn] < max(self.chips) else ()
        raises = (RAISE,) if self.betting.count(RAISE) < MAX_RAISES else ()
        return (*folds, CALL, *raises)

    def play(self, move: int) -> Self:
        """Return the position after the card is dealt, or the move is made."""
        if move not in self.legal_moves():
            raise IllegalMove(f"move {quoted(numeral(move))} is not legal in {str(self)!r}")
        moves = (*self.moves, move)
        if self._deals:
            return self._replace(moves=moves, cards=(*self.cards, move), betting=(), turn=0)
        if move == FOLD:
            return self._replace(moves=moves, folded=self.turn, is_over=True)
        stake = max(self.chips) + (RAISES[len(self.cards) - 2] if move == RAISE else 0)
        chips = (stake, self.chips[1]) if self.turn == 0 else (self.chips[0], stake)
        betting = (*self.betting, move)
        is_over = len(self.cards) == 3 and _is_round_over(betting)
        return self._replace(
            moves=moves, chips=chips, betting=betting, turn=1 - self.turn, is_over=is_over
        )

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return the chips that each seat wins."""
        if not self.is_over:
            return None
        winner = self._winner()
        if winner is None:
            return Fraction(0), Fraction(0)
        won = Fraction(self.chips[1 - winner])
        return (won, -won) if winner == 0 else (-won, won)

    def _winner(self) -> int | None:
        if self.folded is not None:
            return 1 - self.folded
        first, second, shared = map(_rank, self.cards)
        if first == second:
            return None
        if shared in (first, second):
            return int(shared == second)
        return int(second > first)

    def outcome(self) -> Outcome | None:
        """Return who wins chips."""
        return outcome_of(self.payoffs())

    def observation(self, seat: int) -> View:
        """Return the seat's card, the open one, and all bets."""
        seen = [
            MOVES[move]
            for number, move in enumerate(self.moves)
            if number != 1 - seat  # the other's card is the first or the second to be dealt
        ]
        moves = self.legal_moves() if self.to_move == seat else ()
        return View(self.game, seat, tuple(seen), moves)

    def picture(self) -> str:
        """Write the cards and the moves."""
        return str(self)

    def __str__(self) -> str:
        return " ".join(MOVES[move] for move in self.moves) or "-"


def _is_round_over(betting: tuple[int, ...]) -> bool:
    """Return whether both have called, or one has called a raise."""
    return len(betting) > 1 and betting[-1] == CALL


class Leduc(SealedGame):
    """The rules of Leduc hold'em. Get the game from :func:`leduc_game`."""

    name = "leduc"
    max_plies = 11
    transposes = False
    payoffs = Payoffs(Fraction(-13), Fraction(13), "chips", Fraction(0))

    def __init__(self) -> None:
        self._sealed = True

    def start(self) -> LeducPosition:
        """Return the position before the first card."""
        return LeducPosition(self)

    def parse(self, text: str) -> LeducPosition:
        """Read a position such as ``K1 J2 call raise``, or ``-`` before the first card."""
        position = self.start()
        try:
            for word in text.split(" ") if text != str(position) else ():
                position = position.play(self.parse_move(word))
        except (MoveError, IllegalMove) as error:
            raise PositionError(f"position {quoted(text)}: {error}") from None
        return position

    def parse_observation(self, text: str) -> View:
        """Read what a seat knows, such as ``1: J2 raise | fold call raise``."""
        return View.parse(self, text)

    def format_move(self, move: int) -> str:
        """Return ``fold``, ``call`` or ``raise``, or the card that chance deals."""
        return MOVES[move]

    def parse_move(self, text: str) -> int:
        """Return the move of such a word."""
        if text not in MOVES:
            raise MoveError(f"move {quoted(text)} is none of {', '.join(MOVES)}")
        return MOVES.index(text)

    def __reduce__(self) -> tuple[Any, ...]:
        return leduc_game, ()


@cache
def leduc_game() -> Leduc:
    """Return Leduc hold'em.

    >>> print(leduc_game().parse("K1 J2 call raise").observation(0))
    0: K1 call raise | fold call raise
    """
    return Leduc()
