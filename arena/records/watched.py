"""Find what a tournament tells at every look, also one that plays all its pairs whatever they show.

The ranks and intervals at its end are those of a number of pairs that was fixed beforehand. Looks
meanwhile, again and again, need wider ones: see :mod:`arena.stats.field` for entrants
that meet all others, and :mod:`arena.stats.anytime` for those that meet the challenger of a
gauntlet alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from arena.model.defaults import DEFAULT_ALPHA, DEFAULT_MARGIN
from arena.records.fights import FightResult
from arena.records.intervals import anytime
from arena.records.tournaments import TournamentResult
from arena.stats.field import Field
from arena.stats.independence import PAIR_SCORES, Observations, by_points
from arena.stats.ranking import statements
from arena.stats.ranks import rank_intervals

#: Observations of a pairing after which the limits are narrowest: it must not depend on results.
NARROWEST_AFTER = 100


class Limits(NamedTuple):
    """The limits of an entrant's rank and of its value, the mean score against the others.

    The ranks of all hold together, with an error of DEFAULT_ALPHA at most. Each value holds with
    95 % for itself. Both hold at all looks.
    """

    ranks: tuple[int, int]
    value: tuple[float, float]


def limits_of(played: TournamentResult) -> dict[str, Limits]:
    """Return the limits of those that are ranked. The challenger of a gauntlet is not."""
    names = [row.player for row in played.standings if row.rank is not None]
    if len(names) < 2:
        return {}
    if played.schedule == "gauntlet":
        values, better = _of_gauntlet(names, played.fights)
    else:
        values, better = _of_all(names, played.fights)
    ranks = rank_intervals(names, better)
    return {name: Limits(ranks[name], values[name]) for name in names}


#: The limits of values by names, and pairs of names of which the first is surely better.
_Found = tuple[Mapping[str, tuple[float, float]], Iterable[tuple[str, str]]]


def _of_all(names: Sequence[str], fights: Sequence[FightResult]) -> _Found:
    """Return the limits of a field in which all meet each other."""
    places = {name: place for place, name in enumerate(names)}
    field = Field(
        len(names), DEFAULT_ALPHA / statements(len(names), None), DEFAULT_MARGIN, NARROWEST_AFTER
    )
    for fight in fights:
        a, b = (places.get(name) for name in fight.players)
        if a is not None and b is not None:
            seen = observed(fight)
            field.add(a, b, seen.counts, seen.scores)
    upper, low, high = field.look().tolist(), field.low.tolist(), field.high.tolist()
    better = [(a, b) for a, b in permutations(names, 2) if upper[places[b]][places[a]] < 0]
    return {name: (low[place], high[place]) for name, place in places.items()}, better


def _of_gauntlet(names: Sequence[str], fights: Sequence[FightResult]) -> _Found:
    """Return the limits of scores against the challenger."""
    own = {name: _own(name, fights, DEFAULT_ALPHA) for name in names}
    together = {name: _own(name, fights, DEFAULT_ALPHA / len(names)) for name in names}
    better = [(a, b) for a, b in permutations(names, 2) if together[a][0] > together[b][1]]
    return own, better


def _own(name: str, fights: Sequence[FightResult], alpha: float) -> tuple[float, float]:
    """Return the limits of the score of an entrant in its one fight."""
    for fight in fights:
        if name in fight.players and (found := anytime(fight.watched, alpha)) is not None:
            is_first = name == fight.players[0]
            return found.ends if is_first else (1 - found.high, 1 - found.low)
    return 0.0, 1.0


def observed(fight: FightResult) -> Observations:
    """Return the independent observations of a fight, which only ever grow.

    From openings it is the first pair of each: an opening that is met again must not change what
    it has shown. A list that does not come by chance says nothing before it is through.
    """
    if not fight.openings or fight.listed == 1:
        return fight.observations
    if not fight.is_shuffled and fight.different_openings < fight.listed:
        return Observations((0,) * 5, PAIR_SCORES)
    return Observations(by_points(fight.first_met), PAIR_SCORES)
