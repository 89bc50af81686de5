"""Count the payoffs of pairs, those of forfeited games among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from arena.game import Game
from arena.match.record import GameRecord
from arena.records.paid import Ends, Paid, paid_of

#: How a game ended that pays: the payoffs by seat, or the seat that forfeited it.
PaidEnd = tuple[Fraction, ...] | int

#: The ends of both games of a pair, in the first of which A has seat 0.
PairEnds = tuple[PaidEnd, PaidEnd]


def end_of(record: GameRecord) -> PaidEnd:
    """Return how a game ended that pays."""
    if record.forfeit is not None:
        return int(record.forfeit.side)
    assert record.payoffs is not None
    return record.payoffs


def paid_in(game: Game, ends: Mapping[PairEnds, int], count_forfeits: str) -> Paid:
    """Return what pairs paid that ended so, with the number of each.

    ``count_forfeits`` is as in :attr:`arena.records.fights.FightResult.count_forfeits`.
    """
    paid: Counter[Ends] = Counter()
    for pair, number in ends.items():
        one, other = pair if count_forfeits == "all" else _lost_by_one(pair)
        paid[_payoffs(game, one), _payoffs(game, other)] += number
    return paid_of(game.payoffs, paid)


def payoffs_in(game: Game, record: GameRecord) -> tuple[Fraction, ...]:
    """Return what a game paid to each seat, a forfeited one too."""
    return _payoffs(game, end_of(record))


def _payoffs(game: Game, end: PaidEnd) -> tuple[Fraction, ...]:
    return game.forfeit_payoffs(end) if isinstance(end, int) else end


def _lost_by_one(pair: PairEnds) -> PairEnds:
    """Return the ends where a player that alone forfeited has forfeited both games."""
    one, other = pair
    by_a, by_b = one == 0 or other == 1, one == 1 or other == 0
    if by_a == by_b:
        return pair
    return (0, 1) if by_a else (1, 0)
