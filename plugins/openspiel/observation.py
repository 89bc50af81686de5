"""Say what a seat knows of a game of OpenSpiel, as the library writes it."""

from __future__ import annotations

import json
from typing import NamedTuple

from arena.game import Game, Observation
from arena.games.identity import EqualByFacts


class _OpenSpielObservationFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Game
    seat: int
    #: What the seat knows, as the library writes it.
    text: str
    moves: tuple[int, ...]


class OpenSpielObservation(EqualByFacts, _OpenSpielObservationFields, Observation):
    """What a seat knows of a game of OpenSpiel, and the moves that it may make."""

    __slots__ = ()

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat."""
        return self.moves

    def picture(self) -> str:
        """Return what the library writes."""
        return self.text

    @property
    def facts(self) -> tuple[str, int, str, bool]:
        """The name of the game, the seat, the text, and whether the seat is to move."""
        return self.game.name, self.seat, self.text, bool(self.moves)

    def __str__(self) -> str:
        return json.dumps([self.seat, self.text, list(self.moves)])

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"


def moves_seen(moves: tuple[int, ...], seat: int, mover: int, chances: int) -> tuple[int, ...]:
    """Return the moves that a seat has seen where all seats move at once.

    The library asks them one by one, and ``mover`` is next: the seat has seen the earlier rounds
    and its own move of this one. ``chances`` is the least number of a move of chance.

    >>> moves_seen((5, 6, 7, 8), 0, 2, 99), moves_seen((5, 6, 7, 8), 2, 2, 99)
    ((5, 6, 7), (5, 6))
    """
    waiting = 0
    while waiting < min(mover, len(moves)) and moves[-1 - waiting] < chances:
        waiting += 1
    earlier = len(moves) - waiting
    return (*moves[:earlier], *moves[earlier:][seat : seat + 1])
