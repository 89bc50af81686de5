"""See the results of fights as the entries of a matrix with a simultaneous band."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.intervals import anytime
from arena.stats.independence import Observations, SequentialTable
from arena.stats.ranks import ERROR, critical_value
from arena.stats.spans import UNPLAYED_SPAN, Span, mean_span
from arena.stats.summation import added

#: Two players by name: what is seen is the first one's view.
NamePair = tuple[str, str]

#: The scores of a single game.
GAME_SCORES = (0.0, 0.5, 1.0)


class OpponentResults(NamedTuple):
    """The results of a player against another one."""

    observed: Observations
    #: The tables whose intervals hold at every look.
    tables: tuple[SequentialTable, ...]
    #: Whether the number of observations was fixed beforehand.
    is_fixed: bool

    def pooled(self, games: Observations) -> OpponentResults:
        """Return the same with single games more."""
        tables = tuple(
            SequentialTable(_pooled(each.table, games), each.share) for each in self.tables
        )
        return OpponentResults(_pooled(self.observed, games), tables, self.is_fixed)


def seen_in(
    fights: Sequence[FightResult],
    singles: Mapping[NamePair, Tally],
    *,
    is_chosen: bool,
    as_payoffs: bool,
) -> dict[NamePair, OpponentResults]:
    """Return what these fights and single games show of each two players, from both views.

    A score says how far a player did better than its opponent. ``as_payoffs`` takes its own payoff
    instead, which is another number where the sum of payoffs is not constant. Results chose the
    games if ``is_chosen``: then no number of observations was fixed beforehand.
    """
    seen: dict[NamePair, OpponentResults] = {}
    for fight in fights:
        if fight.pairs:
            for view in (fight, fight.reversed()):
                seen[view.players] = _seen(view, is_chosen=is_chosen, as_payoffs=as_payoffs)
    for names, tally in singles.items():
        for two, total in ((names, tally), (names[::-1], tally.reversed())):
            games = Observations((total.losses, total.draws, total.wins), GAME_SCORES)
            nothing = OpponentResults(games._replace(counts=(0, 0, 0)), (), is_fixed=True)
            seen[two] = seen.get(two, nothing).pooled(games)
    return seen


def _seen(fight: FightResult, *, is_chosen: bool, as_payoffs: bool) -> OpponentResults:
    table = fight.observations if as_payoffs else fight.compared
    is_fixed = not (is_chosen or fight.is_sequential or fight.pairs < fight.planned)
    tables = fight.watched if fight.paid is None else (SequentialTable(table, 1.0),)
    return OpponentResults(table, tables, is_fixed)


def _pooled(table: Observations, games: Observations) -> Observations:
    counts = Counter(dict(zip(table.scores, table.counts, strict=True)))
    counts.update(dict(zip(games.scores, games.counts, strict=True)))
    scores, numbers = zip(*sorted(counts.items()), strict=True)
    return Observations(numbers, scores)


def span_of(samples: Sequence[OpponentResults], entries: int) -> Span:
    """Return the mean score over these samples, with an interval that is one of many.

    Where a number of observations was not fixed beforehand, the ends are the means of ends that
    hold at every look.
    """
    span = mean_span([each.observed for each in samples], critical_value(entries))
    if all(each.is_fixed for each in samples):
        return span
    alpha = ERROR / entries / len(samples)
    spans = [
        anytime(each.tables or (SequentialTable(each.observed, 1.0),), alpha)
        if each.tables or each.is_fixed
        else None
        for each in samples
    ]
    ends = [each.ends if each else (UNPLAYED_SPAN.low, UNPLAYED_SPAN.high) for each in spans]
    low, high = (added(each) / len(samples) for each in zip(*ends, strict=True))
    return Span(span.score, max(0.0, min(low, span.score)), min(1.0, max(high, span.score)))
