"""Find players that beat each other in a circle, beyond chance.

A cycle holds if each of its three players beats the next one, so it is sure if the weakest of the
three results is (intersection-union test: Berger, Technometrics 24, 1982). The error is shared out
over all cycles that could be: twice the number of triples that met. Where fewer results than that
are tested, it is shared out over these, for a false cycle has a false result (Bonferroni). So the
chance of naming a single false cycle is at most 5 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from math import sqrt
from typing import NamedTuple

from arena.stats.differences import mean_of
from arena.stats.independence import Observations
from arena.stats.ranks import Two, critical_value

#: No more cycles than this are named.
MAX_NAMED_CYCLES = 10

#: Each player beats the next one, and the last beats the first.
PlayerCycle = tuple[int, int, int]


class TableCycles(NamedTuple):
    """The cycles of a table."""

    #: The strongest ones first, by their weakest result.
    strongest: tuple[PlayerCycle, ...]
    #: The number of cycles that are sure.
    number: int
    #: The number of triples whose players all met.
    triples: int
    #: Standard errors by which each of the three results must exceed a half.
    critical_value: float


def cycles_of(pairings: Mapping[Two, Observations]) -> TableCycles:
    """Return the cycles that are sure. ``pairings`` has the scores of its first player.

    The intervals of the scores are those of Agresti and Coull at the critical value.
    """
    near = _reached(two for a, b in pairings for two in ((a, b), (b, a)))
    triples = sum((near[a] & near[b]).bit_count() for a, b in pairings) // 3
    z = critical_value(max(1, min(len(pairings), triples)))
    by: dict[Two, float] = {}
    for (a, b), observed in pairings.items():
        mean = mean_of(observed, z * z / 2)
        excess = (mean.score - 0.5) / sqrt(mean.variance)
        if abs(excess) >= z:
            by[(a, b) if excess > 0 else (b, a)] = abs(excess)
    circles = [*_circles(by)]
    strongest = nlargest(
        MAX_NAMED_CYCLES, circles, key=lambda one: min(by[two] for two in sides(one))
    )
    return TableCycles(tuple(strongest), len(circles), triples, z)


def sides(cycle: PlayerCycle) -> tuple[Two, Two, Two]:
    """Return the three results of a cycle, each from the view of its winner."""
    a, b, c = cycle
    return (a, b), (b, c), (c, a)


def _circles(by: Mapping[Two, float]) -> Iterator[PlayerCycle]:
    """Yield each cycle once, from its first player on."""
    beats, beaten = _reached(by), _reached((b, a) for a, b in by)
    for a, b in by:
        others = beats.get(b, 0) & beaten.get(a, 0) if a < b else 0
        yield from ((a, b, c) for c in range(a + 1, others.bit_length()) if others >> c & 1)


def _reached(steps: Iterable[Two]) -> dict[int, int]:
    """Return for each player the set of those that follow it, as the bits of an int."""
    followers: dict[int, int] = {}
    for a, b in steps:
        followers[a] = followers.get(a, 0) | 1 << b
    return followers
