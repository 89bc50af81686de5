"""Walk through the positions of a game, breadth first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from arena.game import Position
from arena.seats import Departure, line_of

P = TypeVar("P", bound=Position)


def walk(start: Position, moves_of: Callable[[Position], Iterable[int]]) -> Iterator[Position]:
    """Yield the different positions after 0, 1, 2, ... of the moves that ``moves_of`` gives.

    A position comes once a ply, in the order of the moves that lead there. The walk yields all
    positions of a ply before it asks for the moves of the first of them.

    >>> from arena.games.mnk import mnk_game
    >>> sum(1 for _ in walk(mnk_game(3, 3, 3).start(), lambda position: position.legal_moves()))
    5478
    """
    level = {start: None}
    yield start
    while level:
        deeper: dict[Position, None] = {}
        for position in level:
            for move in moves_of(position):
                after = position.play(move)
                if after not in deeper:
                    deeper[after] = None
                    yield after
        level = deeper


def walked(start: P, moves: Iterable[int], departures: Sequence[Departure] = ()) -> P:
    """Return the position after moves. Raises IllegalMove if one is not legal.

    ``departures`` has the seats that left the game, in their order.
    """
    last = start
    for last in line_of(start, moves, departures):  # noqa: B007
        pass
    return last
