"""Liar's dice: each of two players rolls dice in secret, and they bid on what all dice show.

A bid is a number of dice and a face, such as ``2x5``. Each bid is higher than the last one: more
dice, or as many with a higher face. The highest face of a die counts as every face. A player may
call the other a liar. Then all dice are shown. The player that bid wins if there are that many, and
else loses. The rules are those of ``liars_dice`` in OpenSpiel.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena.game import CHANCE, Payoffs, Side
from arena.games.sealed import SealedGame
from arena.games.view import View
from arena.games.words import WordGame, WordPosition

if TYPE_CHECKING:
    from arena.pictures.tabletop import Tabletop

#: The most dice of a player, and the most sides of a die.
MAX_DICE, MAX_SIDES = 5, 10


class LiarsDicePosition(WordPosition):
    """The hands of both players, and the bids since."""

    __slots__ = ()

    @property
    def to_move(self) -> Side:
        """Chance until both have a hand. Then the first side begins."""
        return CHANCE if self.ply < 2 else Side(self.ply & 1)

    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        """Return the hands that the dice may show."""
        shares: tuple[tuple[int, Fraction], ...] = self.game.hand_shares
        return shares

    def legal_moves(self) -> tuple[int, ...]:
        """Return the hands to roll, or the higher bids and the call."""
        call = self.game.call
        if self.ply < 2:
            return tuple(hand for hand, _ in self.chance_moves())
        if self.ply == 2:
            return tuple(range(call))
        return () if self.moves[-1] == call else tuple(range(self.moves[-1] + 1, call + 1))

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return 1 for the winner and -1 for the loser."""
        if self.ply < 2 or self.moves[-1] != self.game.call:
            return None
        count, face = divmod(self.moves[-2], self.game.sides)
        hands = [self.game.hands[move - self.game.call - 1] for move in self.moves[:2]]
        dice = [die for hand in hands for die in hand]
        is_true = sum(die in (face + 1, self.game.sides) for die in dice) > count
        bidder = self.ply & 1  # the caller moved last, and the other one before
        winner = bidder if is_true else 1 - bidder
        return (Fraction(-1), Fraction(1)) if winner else (Fraction(1), Fraction(-1))

    def observation(self, seat: int) -> View:
        """Return the hand of the seat, and the bids of both."""
        return self.view(seat, (*self.moves[:2][seat : seat + 1], *self.moves[2:]))


class LiarsDice(SealedGame, WordGame):
    """The rules of liar's dice. Get a game from :func:`liars_dice`."""

    payoffs = Payoffs(Fraction(-1), Fraction(1), "points", Fraction(0))

    def __init__(self, dice: int, sides: int) -> None:
        self.name = f"liars-dice-{dice}-{sides}"
        self.dice, self.sides = dice, sides
        #: The move that calls the other player a liar. The bids are below, the hands above.
        self.call = 2 * dice * sides
        #: The hands, each with its faces ascending, and the moves of chance that roll them.
        self.hands = tuple(combinations_with_replacement(range(1, sides + 1), dice))
        self.hand_shares = tuple(
            (self.call + 1 + i, self._share(hand)) for i, hand in enumerate(self.hands)
        )
        bids = (f"{bid // sides + 1}x{bid % sides + 1}" for bid in range(self.call))
        hands = ("-".join(map(str, ("hand", *hand))) for hand in self.hands)
        self.words = (*bids, "liar", *hands)
        self.max_plies = 2 + self.call + 1
        self._sealed = True

    def _share(self, hand: tuple[int, ...]) -> Fraction:
        """Return the probability of a hand."""
        orders = factorial(self.dice) // prod(factorial(hand.count(face)) for face in {*hand})
        return Fraction(orders, self.sides**self.dice)

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        dice = "one die" if self.dice == 1 else f"{self.dice} dice"
        return (
            f"Liar's dice. Each of two players rolls {dice} of {self.sides} sides, which the other"
            " does not see. They take turns to bid on how many of all dice show a face: 2x5 says"
            f" that two or more show a 5. A die that shows {self.sides} counts as every face. Each"
            " bid is higher than the last: more dice, or as many with a higher face. In place of a"
            " bid a player may say liar. Then the player that bid last wins if its bid is true, and"
            " loses if not. The game pays 1 for a win and -1 for a loss."
        )

    def start(self) -> LiarsDicePosition:
        """Return the position before the first roll."""
        return LiarsDicePosition(self)

    def laid(self, seat: int | None, words: Sequence[str]) -> Tabletop:
        """Return the dice of both and the bids."""
        from arena.pictures.tabletop import die, hands

        rolled = [word.split("-")[1:] for word in words if word.startswith("hand-")]
        dice = [[die(int(face)) for face in faces] for faces in rolled]
        return hands(seat, dice, [], words[len(dice) :], [die(None)] * self.dice)

    def __reduce__(self) -> tuple[Any, ...]:
        return liars_dice, (self.dice, self.sides)


def liars_dice(dice: int, sides: int) -> LiarsDice:
    """Return liar's dice with this number of dice for each player, of this number of sides.

    >>> position = liars_dice(2, 6).parse("hand-3-6 hand-1-2 2x3 3x3 liar")
    >>> print(position.observation(1), position.payoffs())
    1: hand-1-2 2x3 3x3 liar | (Fraction(1, 1), Fraction(-1, 1))
    """
    for what, number, least, most in (
        ("dice", dice, 1, MAX_DICE),
        ("sides", sides, 2, MAX_SIDES),
    ):
        if not least <= number <= most:
            raise UsageError(f"liar's dice with {number} {what}: must be {least} to {most}")
    return _liars_dice(dice, sides)


@cache
def _liars_dice(dice: int, sides: int) -> LiarsDice:
    return LiarsDice(dice, sides)
