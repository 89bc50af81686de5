"""Find cycles of players, each of which beats the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.stats.connectivity import reachable, strong_groups
from arena.stats.ranks import Two


def shortest_cycles(number: int, margins: Mapping[Two, float]) -> list[tuple[int, ...]]:
    """Return a shortest cycle of each group whose players beat each other through others.

    ``margins`` has by how much the first of two beats the second, for all wins. Of several cycles
    as short, that with the largest smallest margin comes back, from its first player on.

    >>> shortest_cycles(4, {(0, 1): 0.1, (1, 2): 0.2, (2, 0): 0.1, (0, 3): 0.3, (1, 3): 0.2})
    [(0, 1, 2)]
    """
    groups = strong_groups(reachable(number, margins))
    return [_shortest(group, margins) for group in groups if len(group) > 1]


def _shortest(group: tuple[int, ...], margins: Mapping[Two, float]) -> tuple[int, ...]:
    beaten = {i: [j for j in group if (i, j) in margins] for i in group}
    cycles = [cycle for start in group for cycle in _through(start, beaten)]
    return min(cycles, key=lambda cycle: (len(cycle), -_weakest(cycle, margins), cycle))


def _through(start: int, beaten: Mapping[int, list[int]]) -> Iterable[tuple[int, ...]]:
    """Yield a shortest cycle through a player for each player that beats it."""
    paths: dict[int, tuple[int, ...]] = {start: (start,)}
    waiting = [start]
    for player in waiting:
        for other in beaten[player]:
            if other == start:
                path = paths[player]
                first = path.index(min(path))
                yield path[first:] + path[:first]
            elif other not in paths:
                paths[other] = (*paths[player], other)
                waiting.append(other)


def _weakest(cycle: tuple[int, ...], margins: Mapping[Two, float]) -> float:
    return min(margins[win] for win in zip(cycle, cycle[1:] + cycle[:1], strict=True))
