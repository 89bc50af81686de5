"""Find which ranks the results of a tournament leave to each player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from arena.records.fights import FightResult
from arena.records.ranks import RankIntervals
from arena.records.tournaments import Standing
from arena.stats import ranks
from arena.stats.differences import differences
from arena.stats.independence import Observations
from arena.stats.ranks import Two


def with_ranks(
    rows: Sequence[Standing], fights: Sequence[FightResult]
) -> tuple[tuple[Standing, ...], RankIntervals | None]:
    """Return the standings with the lowest and highest rank of each player, and how they came.

    The value behind a rank is the mean expected score against the opponents that every ranked
    player met: all others, or the challenger of a gauntlet. None without such opponents.
    """
    ranked = [place for place, row in enumerate(rows) if row.rank is not None and not row.missing]
    observations = both_views([row.player for row in rows], fights)
    statistics = differences(ranked, observations)
    if statistics is None:
        return tuple(rows), None
    better = ranks.surely_better(statistics)
    intervals = ranks.rank_intervals(ranked, better)
    lowest_to_highest = (intervals.get(place, (None, None)) for place in range(len(rows)))
    return (
        tuple(
            replace(row, rank_low=low, rank_high=high)
            for row, (low, high) in zip(rows, lowest_to_highest, strict=True)
        ),
        method_of(statistics, len(better), sum(sum(seen.counts) for seen in observations.values())),
    )


def pairings_of(
    names: Sequence[str],
    fights: Sequence[FightResult],
    of: Callable[[FightResult], Observations] = attrgetter("observations"),
) -> dict[Two, Observations]:
    """Return the observations of every pairing that counts, by the places of its players.

    A fight that was cut short, or that ended when its results answered a question, does not count:
    the tests take the number of pairs as fixed beforehand.
    """
    places = {name: place for place, name in enumerate(names)}
    return {
        (places[fight.players[0]], places[fight.players[1]]): of(fight)
        for fight in fights
        if fight.pairs and not (fight.killed_workers or fight.unfinished or fight.is_sequential)
    }


def both_views(names: Sequence[str], fights: Sequence[FightResult]) -> dict[Two, Observations]:
    """Return the observations of every pairing, and B's where they do not follow from A's."""
    reversed_views = [
        fight.reversed() for fight in fights if fight.paid and fight.paid.total is None
    ]
    return pairings_of(names, [*fights, *reversed_views])


def method_of(
    statistics: Mapping[Two, float], decided: int, observations: float
) -> RankIntervals | None:
    """Describe the tests of these differences. Return None without differences."""
    if not statistics:
        return None
    return RankIntervals(
        error=ranks.ERROR,
        comparisons=len(statistics),
        critical_value=round(ranks.critical_value(len(statistics)), 4),
        decided=decided,
        observations=round(observations, 4),
    )
