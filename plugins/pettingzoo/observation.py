"""Say what a seat knows of an environment: what it observes, and a digest of all before."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, NamedTuple, Self

from arena.errors import PositionError, quoted
from arena.game import Observation
from arena.games.identity import EqualByFacts
from arena.plugins.pettingzoo import spaces


class _EnvironmentObservationFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    game: Any
    seat: int
    #: A digest of all that the seat observed and did before.
    before: str
    #: What it observes now, as JSON; empty while it is not to move.
    text: str
    moves: tuple[int, ...]


class EnvironmentObservation(EqualByFacts, _EnvironmentObservationFields, Observation):
    """The observation of a seat that is to move, and a digest of those and its actions before."""

    __slots__ = ()

    @property
    def observed(self) -> Any:
        """The observation as the environment gave it, such as an array, with its mask.

        It is a new one each time, and None while the seat is not to move.
        """
        return self.game.observed(self.seat, self.text) if self.text else None

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat."""
        return self.moves

    @property
    def facts(self) -> tuple[str, int, str, str]:
        """The name of the game, the seat, the digest, and the text."""
        return self.game.name, self.seat, self.before, self.text

    def __str__(self) -> str:
        fields = {"seat": self.seat, "before": self.before, "legal": list(self.moves)}
        return f'{json.dumps(fields)[:-1]}, "observation": {self.text or "null"}}}'

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"

    @classmethod
    def parse(cls, game: Any, text: str) -> Self:
        """Return what a text describes. Raises PositionError with the problem."""
        try:
            fields = json.loads(text)
            seat, before, moves = fields["seat"], fields["before"], fields["legal"]
            is_known = type(before) is str and all(type(move) is int for move in moves)
            if is_known and type(seat) is int and 0 <= seat < game.seats:
                observation = fields["observation"]
                seen = "" if observation is None else spaces.written(observation)
                return cls(game, seat, before, seen, tuple(moves))
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        raise PositionError(
            f"observation {quoted(text)} is no object with seat, before, legal and observation"
        )


def digest_of(before: str, seen: str, move: int, *, waits: bool) -> str:
    """Return the digest of all that a seat has observed and done after one more move.

    It ``waits`` for others after that, or moves again.
    """
    text = f"{before} {move} {int(waits)} {seen}"
    return blake2b(text.encode(), digest_size=16).hexdigest()
