"""Schedule the pairings of a tournament, and the order in which they are played."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, combinations
from typing import TypeVar

T = TypeVar("T")


#: The names of the schedules that play all their pairings, whatever the results.
PLAIN_NAMES = {"round-robin": "round robin", "gauntlet": "gauntlet"}


def round_robin(players: Sequence[T]) -> list[tuple[T, T]]:
    """Pair each player with each other one once, in the order given.

    >>> round_robin("abc")
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return list(combinations(players, 2))


def gauntlet(challenger: T, players: Sequence[T]) -> list[tuple[T, T]]:
    """Pair one player with all the others.

    >>> gauntlet("b", "abc")
    [('b', 'a'), ('b', 'c')]
    """
    return [(challenger, player) for player in players if player != challenger]


def in_rounds(pairings: Sequence[tuple[Hashable, Hashable]]) -> list[int]:
    """Return the places of the pairings by rounds, each with at most one pairing of a player.

    Rounds are those of the circle method: in one that is complete all play but one at most. (E.
    Lucas, Récréations mathématiques, volume 2, 1883.)

    >>> in_rounds(round_robin("abcd"))
    [2, 3, 0, 5, 1, 4]
    """
    seats = {player: seat for seat, player in enumerate(dict.fromkeys(chain(*pairings)))}
    last = len(seats) - 1 + len(seats) % 2  # the seat in the middle, empty if the number is odd

    def turn(place: int) -> int:
        one, other = sorted(seats[player] for player in pairings[place])
        return (2 * one if other == last else one + other) % max(1, last)

    return sorted(range(len(pairings)), key=lambda place: (turn(place), place))


def turns(pairs: Sequence[int], order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield all pairs of the fights in ``order`` as they have their turns, each with its fight.

    ``pairs`` has the number of pairs of every fight.

    >>> list(turns([1, 2, 1], [2, 1]))
    [(1, 2), (1, 1), (2, 1)]
    """
    for pair in range(1, max((pairs[fight] for fight in order), default=0) + 1):
        yield from ((pair, fight) for fight in order if pair <= pairs[fight])
