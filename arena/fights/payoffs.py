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
from arena.records.paid import Ends, Paid, paid_of


class Lost(NamedTuple):
    """A game that a seat forfeited, and its corrected payoffs."""

    seat: int
    payoffs: tuple[Fraction, ...]


#: How a game ended that pays: the payoffs by seat, or the seat that forfeited it.
PaidEnd = tuple[Fraction, ...] | int | Lost

#: The ends of both games of a pair, in the first of which A has seat 0.
PairEnds = tuple[PaidEnd, PaidEnd]


def end_of(record: GameRecord) -> PaidEnd:
    """Return how a game ended that pays."""
    if record.forfeit is not None:
        return int(record.forfeit.side)
    assert record.payoffs is not None
    return record.payoffs


def corrected_end_of(record: GameRecord) -> PaidEnd:
    """Return how a game ended whose luck is corrected."""
    assert record.corrected is not None
    if record.forfeit is not None:
        return Lost(int(record.forfeit.side), record.corrected)
    return record.corrected


def paid_in(game: Game, ends: Mapping[PairEnds, int], count_forfeits: str) -> Paid:
    """Return what pairs paid that ended so, with the number of each.

    ``count_forfeits`` is as in :attr:`arena.records.fights.FightResult.count_forfeits`.
    """
    paid: Counter[Ends] = Counter()
    for pair, number in ends.items():
        one, other = pair if count_forfeits == "all" else _lost_by_one(pair)
        paid[_payoffs(game, one), _payoffs(game, other)] += number
    return paid_of(game.payoffs, paid)


def corrected_in(
    game: Game,
    ends: Mapping[PairEnds, int],
    count_forfeits: str,
    luck: LuckCorrection,
    players: tuple[str, str],
) -> Paid:
    """Return what pairs paid without luck.

    The bounds of the payoffs are those of games that end by the rules, or of all as soon as one was
    forfeited.
    """
    bounds = luck.of(players)
    forfeited = any(_seat_that_forfeited(end) is not None for pair in ends for end in pair)
    reach = bounds.by_forfeit if forfeited else bounds.by_rules
    even = Fraction(game.payoffs.total or 0) / 2
    if forfeited:  # those that a rule counts as lost are not corrected
        reach = max(reach, Fraction(game.payoffs.most) - even, even - Fraction(game.payoffs.least))
    paid = paid_in(game, ends, count_forfeits)
    return replace(paid, least=even - reach, most=even + reach)


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
    if isinstance(end, Lost):
        return end.payoffs
    return game.forfeit_payoffs(end) if isinstance(end, int) else end


def _seat_that_forfeited(end: PaidEnd) -> int | None:
    if isinstance(end, Lost):
        return end.seat
    return end if isinstance(end, int) else None


def _lost_by_one(pair: PairEnds) -> PairEnds:
    """Return the ends where a player that alone forfeited has forfeited both games."""
    one, other = map(_seat_that_forfeited, pair)
    by_a, by_b = one == 0 or other == 1, one == 1 or other == 0
    if by_a == by_b:
        return pair
    return (0, 1) if by_a else (1, 0)
