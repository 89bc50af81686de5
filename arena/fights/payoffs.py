"""Count the payoffs of pairs, those of forfeited games among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from arena.game import Game
from arena.match.record import GameRecord
from arena.records.luck import Corrected, LuckCorrection
from arena.records.paid import Paid, PairPayoffs, paid_of

#: How a game ended that pays: the payoffs by seat, or the seat that forfeited it.
PaidEnd = tuple[Fraction, ...] | int


class LuckyEnd(NamedTuple):
    """How a game ended, and what luck brought its first seat."""

    end: PaidEnd
    luck: Fraction


#: The ends of both games of a pair, in the first of which A has seat 0.
PairEnds = tuple[PaidEnd, PaidEnd]
LuckyEnds = tuple[LuckyEnd, LuckyEnd]


def end_of(record: GameRecord) -> PaidEnd:
    """Return how a game ended that pays."""
    if record.forfeit is not None:
        return int(record.forfeit.side)
    assert record.payoffs is not None
    return record.payoffs


def lucky_end_of(record: GameRecord) -> LuckyEnd:
    """Return how a game ended whose luck is corrected."""
    assert record.luck is not None
    return LuckyEnd(end_of(record), record.luck)


def paid_in(game: Game, ends: Mapping[PairEnds, int], count_forfeits: str) -> Paid:
    """Return what pairs paid that ended so, with the number of each.

    ``count_forfeits`` is as in :attr:`arena.records.fights.FightResult.count_forfeits`.
    """
    paid: Counter[PairPayoffs] = Counter()
    for pair, number in ends.items():
        one, other = pair if count_forfeits == "all" else _lost_by_one(pair)
        paid[_payoffs(game, one), _payoffs(game, other)] += number
    return paid_of(game.payoffs, paid)


def corrected_in(
    game: Game,
    ends: Mapping[LuckyEnds, int],
    count_forfeits: str,
    luck: LuckCorrection,
    players: tuple[str, str],
) -> Paid:
    """Return what pairs paid without luck.

    The bounds of the payoffs are those of games that end by the rules, or of all as soon as one was
    forfeited. Luck has the mean 0 in all games together, so it is taken out of those too that count
    as lost for a forfeit.
    """
    paid: Counter[PairPayoffs] = Counter()
    forfeited = False
    for pair, number in ends.items():
        one, other = (each.end for each in pair)
        forfeited = forfeited or isinstance(one, int) or isinstance(other, int)
        counted = (one, other) if count_forfeits == "all" else _lost_by_one((one, other))
        first, second = (
            _without(each.luck, _payoffs(game, end))
            for each, end in zip(pair, counted, strict=True)
        )
        paid[first, second] += number
    bounds = luck.of(players)
    reach = bounds.by_forfeit if forfeited else bounds.by_rules
    return replace(paid_of(game.payoffs, paid), reach=reach)


def _without(luck: Fraction, payoffs: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    first, second = payoffs
    return first - luck, second + luck


def correction_of(
    luck: LuckCorrection, players: tuple[str, str], raw: Paid, paid: Paid
) -> Corrected:
    """Return what was corrected in the payoffs of a fight."""
    varies = bool(paid.pairs) and paid.variance > 0
    saved = float(raw.variance_alone / paid.variance) if varies else None
    return Corrected(luck.value, luck.digest, luck.of(players).terms, raw, saved)


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
