"""Schedule the tables of a tournament: who sits together.

Every two players meet equally often, within one, and every player has as many tables as any other.
At tables of seven or eight two may meet within two: for some numbers of players nothing better is
found.

A few players sit together in every possible way. Of more, some sets are developed in a circle: the
table {0, 1, 4} stands for {1, 2, 5}, {2, 3, 6} and so on. Then two players meet as often as the
distance between them occurs in those sets (R. C. Bose, "On the construction of balanced incomplete
block designs", Annals of Eugenics 9, 1939). A search finds the sets by simulated annealing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, exp
from random import Random

from arena.errors import UsageError

#: A tournament has a table for every set of players up to this many.
MAX_ALL_TABLES = 500

#: A schedule that goes by rounds has at most so many to choose from.
MAX_SCHEDULED_TABLES = 20_000

#: How many sets are tried beyond the fewest, the steps of each search, and its temperature.
MORE_SETS, SEARCH_STEPS, TEMPERATURE = 5, 40_000, 0.7

TablePlayers = tuple[int, ...]


def balanced_tables(players: int, seats: int) -> list[TablePlayers]:
    """Return tables of players by their numbers, ascending in each.

    Raises UsageError if there are fewer players than seats.

    >>> balanced_tables(4, 3)
    [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    """
    if players < seats:
        raise UsageError(f"{players} players for {seats} seats: a table needs one for each")
    if comb(players, seats) <= MAX_ALL_TABLES:
        return list(combinations(range(players), seats))
    return list(_tables(players, seats))


def all_tables(players: int, seats: int) -> list[TablePlayers]:
    """Return all tables of players by their numbers, for a schedule that chooses among them.

    Raises UsageError if they are too many.
    """
    if (number := comb(players, seats)) > MAX_SCHEDULED_TABLES:
        raise UsageError(
            f"{players} players have {number:,} tables of {seats}, and a schedule by rounds takes"
            f" at most {MAX_SCHEDULED_TABLES:,}: leave it out for a round robin"
        )
    return list(combinations(range(players), seats))


def gauntlet_tables(players: int, seats: int) -> list[TablePlayers]:
    """Return tables at which player 0 sits, with the others as in :func:`balanced_tables`.

    >>> gauntlet_tables(4, 3)
    [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    """
    if seats == 2:
        return [(0, other) for other in range(1, players)]
    others = balanced_tables(players - 1, seats - 1)
    return [(0, *(other + 1 for other in table)) for table in others]


@lru_cache
def _tables(players: int, seats: int) -> tuple[TablePlayers, ...]:
    """Return the tables of as few sets as the search finds, developed in a circle."""
    least = -(-(players // 2) // comb(seats, 2))
    schedules = (_search(players, seats, least + more) for more in range(MORE_SETS + 1))
    flattest = None
    for spread, sets in schedules:
        if flattest is None or spread < flattest[0]:
            flattest = spread, sets
        if spread <= 1:
            break
    assert flattest is not None
    tables = (
        tuple(sorted((start + place) % players for place in each))
        for start in range(players)
        for each in flattest[1]
    )
    # Two opposite players of a circle are developed to themselves again half a circle on.
    return tuple(_numbered(dict.fromkeys(tables)))


def _numbered(tables: Iterable[TablePlayers]) -> Iterator[TablePlayers]:
    """Give the players of these tables new numbers, in the order in which they first sit at one.

    So the tables alone tell the order of the players: a store has no other.
    """
    numbers: dict[int, int] = {}
    for table in tables:
        yield tuple(sorted(numbers.setdefault(player, len(numbers)) for player in table))


def _search(players: int, seats: int, number: int) -> tuple[int, list[list[int]]]:
    """Look for that many sets whose distances occur equally often.

    Return by how much the commonest distance occurs more often than the rarest, and the sets.
    """
    rng = Random(f"{players}/{seats}/{number}")
    sets = [rng.sample(range(players), seats) for _ in range(number)]
    met = dict.fromkeys(range(1, players // 2 + 1), 0)
    for each in sets:
        for distance in _distances(each, players):
            met[distance] += 1
    best = max(met.values()) - min(met.values()), [list(each) for each in sets]
    for _ in range(SEARCH_STEPS):
        if best[0] <= 1:
            break
        which, place = rng.randrange(number), rng.randrange(seats)
        new = list(sets[which])
        new[place] = rng.randrange(players)
        if new[place] in sets[which]:
            continue
        change = Counter(_distances(new, players))
        change.subtract(_distances(sets[which], players))
        # By how much the sum of squares grows.
        worse = sum(by * (2 * met[distance] + by) for distance, by in change.items())
        if worse <= 0 or rng.random() < exp(-worse / TEMPERATURE):
            sets[which] = new
            for distance, by in change.items():
                met[distance] += by
            spread = max(met.values()) - min(met.values())
            if spread < best[0]:
                best = spread, [list(each) for each in sets]
    return best


def _distances(table: Sequence[int], players: int) -> list[int]:
    """Return the distances between the players of a set in the circle.

    The distance of opposite players comes twice, as they meet twice when the set is developed.
    """
    distances = []
    for a, b in combinations(table, 2):
        distance = min((a - b) % players, (b - a) % players)
        distances += [distance] * (2 if 2 * distance == players else 1)
    return distances
