"""Find the cycles in the results of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.fights.ranks import pairings_of
from arena.records.cycles import Cycle, Cycles
from arena.records.fights import FightResult
from arena.stats import cycles, grid
from arena.stats.independence import Observations
from arena.stats.ranks import ERROR, Two


def cycles_of(names: Sequence[str], fights: Sequence[FightResult]) -> Cycles | None:
    """Return the cycles of these players, or None if no three of them met each other."""
    observations = pairings_of(names, fights)
    summary = cycles.cycles_of(observations)
    if not summary.triples:
        return None
    return Cycles(
        error=ERROR,
        triples=summary.triples,
        critical_value=round(summary.critical_value, 4),
        count=summary.number,
        strongest=tuple(_named(one, names, observations) for one in summary.strongest),
    )


def _named(
    cycle: cycles.Cycle, names: Sequence[str], observations: Mapping[Two, Observations]
) -> Cycle:
    one, two, three = (_score(side, observations) for side in cycles.sides(cycle))
    a, b, c = (names[player] for player in cycle)
    return Cycle((a, b, c), (one, two, three))


def _score(side: Two, observations: Mapping[Two, Observations]) -> float:
    a, b = side
    observed = observations[side] if side in observations else observations[b, a]
    _, mean, _ = grid.moments(observed.counts, observed.scores)
    return round(mean if side in observations else 1 - mean, 6)
