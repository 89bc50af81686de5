"""Say who sits where in the games of a block."""

from __future__ import annotations

from itertools import islice, permutations
from math import factorial

#: The ways in which the players of a block sit down: every rotation of their order, or every order.
ROTATIONS, EVERY_ORDER = "rotations", "all"
SEATINGS = (ROTATIONS, EVERY_ORDER)


def games_a_block(seats: int, seatings: str = ROTATIONS) -> int:
    """Return how many games a block has.

    >>> games_a_block(4), games_a_block(4, "all")
    (4, 24)
    """
    return factorial(seats) if seatings == EVERY_ORDER else seats


def seating(seats: int, seatings: str, game: int) -> tuple[int, ...]:
    """Return which player sits in each seat, in a game of a block, both counted from 0.

    >>> seating(3, "rotations", 1), seating(3, "all", 1)
    ((1, 2, 0), (0, 2, 1))
    """
    if seatings == EVERY_ORDER:
        return next(islice(permutations(range(seats)), game, None))
    return tuple((seat + game) % seats for seat in range(seats))
