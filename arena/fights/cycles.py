"""Find the cycles in the results of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.fights.ranks import meetings_of
from arena.records.cycles import Cycle, Cycles
from arena.records.fights import FightResult
from arena.stats import cycles, grid
from arena.stats.independence import Observations
from arena.stats.ranks import ERROR, Two


def cycles_of(names: Sequence[str], fights: Sequence[FightResult]) -> Cycles | None:
    """Return the cycles of these players; None if no three of them met each other."""
    meetings = meetings_of(names, fights)
    found = cycles.cycles_of(meetings)
    if not found.triples:
        return None
    return Cycles(
        error=ERROR,
        triples=found.triples,
        critical_value=round(found.critical_value, 4),
        count=found.number,
        strongest=tuple(_named(one, names, meetings) for one in found.strongest),
    )


def _named(
    found: cycles.Cycle, names: Sequence[str], meetings: Mapping[Two, Observations]
) -> Cycle:
    one, two, three = (_score(side, meetings) for side in cycles.sides(found))
    a, b, c = (names[player] for player in found)
    return Cycle((a, b, c), (one, two, three))


def _score(side: Two, meetings: Mapping[Two, Observations]) -> float:
    a, b = side
    observed = meetings[side] if side in meetings else meetings[b, a]
    _, mean, _ = grid.moments(observed.counts, observed.scores)
    return round(mean if side in meetings else 1 - mean, 6)
