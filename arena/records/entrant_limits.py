"""Find the limits of ranks and values that hold at every look at a tournament.

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


class EntrantLimits(NamedTuple):
    """The limits of an entrant's rank and of its value, the mean score against the others.

    The ranks of all hold together, with an error of DEFAULT_ALPHA at most. Each value holds with
    95 % for itself. Both hold at all looks.
    """

    ranks: tuple[int, int]
    value: tuple[float, float]


def limits_of(played: TournamentResult) -> dict[str, EntrantLimits]:
    """Return the limits of those that are ranked. The challenger of a gauntlet is not.

    There are none where what one player wins the other does not lose.
    """
    names = [row.player for row in played.standings if row.rank is not None]
    is_variable_sum = any(
        fight.paid is not None and fight.paid.total is None for fight in played.fights
    )
    if len(names) < 2 or is_variable_sum:
        return {}
    if played.schedule == "gauntlet":
        values, better = _limits_of_gauntlet(names, played.fights)
    else:
        values, better = _limits_of_field(names, played.fights)
    ranks = rank_intervals(names, better)
    return {name: EntrantLimits(ranks[name], values[name]) for name in names}


#: The limits of values by names, and pairs of names of which the first is surely better.
_Limits = tuple[Mapping[str, tuple[float, float]], Iterable[tuple[str, str]]]


def _limits_of_field(names: Sequence[str], fights: Sequence[FightResult]) -> _Limits:
    """Return the limits of a field in which all meet each other."""
    places = {name: place for place, name in enumerate(names)}
    field = Field(
        len(names), DEFAULT_ALPHA / statements(len(names), None), DEFAULT_MARGIN, NARROWEST_AFTER
    )
    for fight in fights:
        a, b = (places.get(name) for name in fight.players)
        if a is not None and b is not None:
            observations = observed(fight)
            field.add(a, b, observations.counts, observations.scores)
    upper, low, high = field.look().tolist(), field.low.tolist(), field.high.tolist()
    better = [(a, b) for a, b in permutations(names, 2) if upper[places[b]][places[a]] < 0]
    return {name: (low[place], high[place]) for name, place in places.items()}, better


def _limits_of_gauntlet(names: Sequence[str], fights: Sequence[FightResult]) -> _Limits:
    """Return the limits of scores against the challenger."""
    alone = {name: _score_limits(name, fights, DEFAULT_ALPHA) for name in names}
    shared = {name: _score_limits(name, fights, DEFAULT_ALPHA / len(names)) for name in names}
    better = [(a, b) for a, b in permutations(names, 2) if shared[a][0] > shared[b][1]]
    return alone, better


def _score_limits(name: str, fights: Sequence[FightResult], alpha: float) -> tuple[float, float]:
    """Return the limits of the score of an entrant in its one fight."""
    for fight in fights:
        if name in fight.players and (interval := anytime(fight.watched, alpha)) is not None:
            is_first = name == fight.players[0]
            return interval.ends if is_first else (1 - interval.high, 1 - interval.low)
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
