"""Rank players by ranked pairs, and find which orders a band of scores leaves open.

The wins of one player over another are locked from the largest margin down, unless a win closes a
cycle with those that are locked (Tideman, "Independence of Clones as a Criterion for Voting
Rules", Social Choice and Welfare 4, 1987). Of wins with equal margins those are locked that close
no cycle with all of them: so no order of the players decides. A rank is one more than the number
of players from which locked wins lead to a player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arena.arrays import Floats
from arena.stats.connectivity import reachable
from arena.stats.polytope import EQUAL
from arena.stats.ranks import Two


def ranked_pairs(margins: Floats) -> tuple[int, ...]:
    """Return the rank of each player. ``margins[i, j]`` is by how much i beats j, if above 0.

    >>> ranked_pairs(np.array([[0, 3.0, -1], [-3, 0, 2], [1, -2, 0]]))
    (1, 2, 3)
    """
    number = len(margins)
    wins = [(i, j) for i in range(number) for j in range(number) if margins[i, j] > EQUAL]
    wins.sort(key=lambda win: -margins[win])
    locked: list[Two] = []
    while wins:
        largest = margins[wins[0]]
        equal = [win for win in wins if margins[win] > largest - EQUAL]
        wins = wins[len(equal) :]
        reach = reachable(number, locked)
        equal = [(i, j) for i, j in equal if not reach[j] >> i & 1]
        reach = reachable(number, [*locked, *equal])
        locked += [(i, j) for i, j in equal if not reach[j] >> i & 1]
    return ranks_of(number, locked)


def ranks_of(number: int, above: Iterable[Two]) -> tuple[int, ...]:
    """Return one more than the number of players above each, directly or through others."""
    reach = reachable(number, above)
    return tuple(sum(each >> player & 1 for each in reach) for player in range(number))


def surely_above(low: Floats, high: Floats) -> frozenset[Two]:
    """Return which player of two is ranked above the other by all margins between these ends.

    A win is locked if no chain of wins leads back that are each as large. So it surely is where
    ``low`` of the win is above the largest chain back that ``high`` admits, which is as large as
    its smallest win. A win is surely not locked where a chain of locked wins leads back that are
    all larger. It is then a part of no chain, which may show more wins to be locked.
    """
    number = len(low)
    is_out = np.eye(number, dtype=bool)
    while True:
        chain = _widest(np.where(is_out, -np.inf, high))
        is_locked = ~is_out & (low > np.maximum(chain.T, 0) + EQUAL)
        back = _widest(np.where(is_locked, low, -np.inf))
        more = is_out | (high + EQUAL < back.T)
        if (more == is_out).all():
            break
        is_out = more
    locked = [(int(i), int(j)) for i, j in np.argwhere(is_locked)]
    reach = reachable(number, locked)
    return frozenset(
        (i, j) for i in range(number) for j in range(number) if i != j and reach[i] >> j & 1
    )


def _widest(wins: Floats) -> Floats:
    """Return the size of the largest chain of wins between each two, that of its smallest win."""
    chain = wins.copy()
    for via in range(len(wins)):
        chain = np.maximum(chain, np.minimum.outer(chain[:, via], chain[via]))
    return chain


def rank_spans(number: int, above: Iterable[Two]) -> Sequence[Two]:
    """Return the best and the worst rank of each player if these orders are sure."""
    orders = list(above)
    return [
        (1 + sum(j == p for _, j in orders), number - sum(i == p for i, _ in orders))
        for p in range(number)
    ]
