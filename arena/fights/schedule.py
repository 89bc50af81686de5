"""Schedule the pairings of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")


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
