"""Find the players that can be compared, from the points that they took from each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: For each player the set of those that it reaches, as the bits of an int.
Reach = list[int]


def reachable(players: int, steps: Iterable[tuple[int, int]]) -> Reach:
    """Return the players that each one reaches in any number of steps, with itself (Warshall)."""
    reach = [1 << player for player in range(players)]
    for one, other in steps:
        reach[one] |= 1 << other
    for via in range(players):
        onward = reach[via]
        for player in range(players):
            if reach[player] >> via & 1:
                reach[player] |= onward
    return reach


def strong_groups(reach: Reach) -> list[tuple[int, ...]]:
    """Group the players that reach each other. A group comes before those that it reaches.

    >>> strong_groups(reachable(3, [(1, 0), (1, 2), (2, 1)]))
    [(1, 2), (0,)]
    """
    mutual = [tuple(b for b in members(reach[a]) if reach[b] >> a & 1) for a in range(len(reach))]
    return sorted(set(mutual), key=lambda group: (-reach[group[0]].bit_count(), group))


def members(bits: int) -> tuple[int, ...]:
    """Return the players of a set, in order."""
    return tuple(player for player in range(bits.bit_length()) if bits >> player & 1)


def cycles_differ(players: int, edges: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether no numbers for the players have the differences in the edges.

    An edge (a, b, d) means that a's number is b's plus d. If there are such numbers, an effect of
    size d in every game is the same as a change of the players' ratings.
    """
    near: list[list[tuple[int, int]]] = [[] for _ in range(players)]
    for a, b, difference in edges:
        near[a].append((b, -difference))
        near[b].append((a, difference))
    place: dict[int, int] = {}
    for root in range(players):
        if root in place:
            continue
        place[root], waiting = 0, [root]
        while waiting:
            player = waiting.pop()
            for other, difference in near[player]:
                if other not in place:
                    place[other] = place[player] + difference
                    waiting.append(other)
    return any(place[a] - place[b] != difference for a, b, difference in edges)
