"""Schedule the tables of a tournament: who sits together.

Every two players meet equally often, within one, and every player has as many tables as any other.
A few players sit together in every possible way. Of more, some sets are developed in a circle: the
table {0, 1, 4} stands for {1, 2, 5}, {2, 3, 6} and so on. Then two players meet as often as the
distance between them occurs in those sets (R. C. Bose, "On the construction of balanced incomplete
block designs", Annals of Eugenics 9, 1939).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, count
from math import comb
from random import Random

from arena.errors import UsageError

#: A tournament has a table for every set of players up to this many.
MAX_ALL_TABLES = 500

#: The steps of a search for sets of one number.
SEARCH_STEPS = 20_000

Table = tuple[int, ...]


def balanced_tables(players: int, seats: int) -> list[Table]:
    """Return tables of players by their numbers, ascending in each.

    Raises UsageError if there are fewer players than seats.

    >>> balanced_tables(4, 3)
    [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    """
    if players < seats:
        raise UsageError(f"{players} players for {seats} seats: a table needs one for each")
    if comb(players, seats) <= MAX_ALL_TABLES:
        return list(combinations(range(players), seats))
    return [
        tuple(sorted((start + place) % players for place in base))
        for start in range(players)
        for base in _base_sets(players, seats)
    ]


def gauntlet_tables(players: int, seats: int) -> list[Table]:
    """Return tables at which player 0 sits, with the others as in :func:`balanced_tables`.

    >>> gauntlet_tables(4, 3)
    [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    """
    if seats == 2:
        return [(0, other) for other in range(1, players)]
    others = balanced_tables(players - 1, seats - 1)
    return [(0, *(other + 1 for other in table)) for table in others]


@lru_cache
def _base_sets(players: int, seats: int) -> tuple[Table, ...]:
    """Return as few sets as the search finds whose distances occur equally often, within one."""
    least = -(-(players // 2) // comb(seats, 2))
    for number in count(least):
        found = _search(players, seats, number, Random(number))
        if found is not None:
            return found
    raise AssertionError("counting ends only with sets")


def _search(players: int, seats: int, number: int, rng: Random) -> tuple[Table, ...] | None:
    """Look for that many sets: replace one player after the other, where that is no worse."""
    sets = [rng.sample(range(players), seats) for _ in range(number)]
    met = Counter(dict.fromkeys(range(1, players // 2 + 1), 0))
    for each in sets:
        met.update(_distances(each, players))
    for _ in range(SEARCH_STEPS):
        if max(met.values()) - min(met.values()) <= 1:
            return tuple(tuple(sorted(each)) for each in sets)
        which, place = rng.randrange(number), rng.randrange(seats)
        old, new = sets[which], list(sets[which])
        new[place] = rng.randrange(players)
        if new[place] in old:
            continue
        change = Counter(_distances(new, players))
        change.subtract(_distances(old, players))
        # By how much the sum of squares grows.
        if sum(by * (2 * met[distance] + by) for distance, by in change.items()) <= 0:
            sets[which] = new
            met.update(change)
    return None


def _distances(table: Sequence[int], players: int) -> list[int]:
    """Return the distances between the players of a set in the circle.

    The distance of opposite players comes twice, as they meet twice when the set is developed.
    """
    distances = []
    for a, b in combinations(table, 2):
        distance = min((a - b) % players, (b - a) % players)
        distances += [distance] * (2 if 2 * distance == players else 1)
    return distances
