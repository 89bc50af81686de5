"""A move that a player made otherwise than it was proved to."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Record


@dataclass(frozen=True)
class Deviation(Record):
    """A move in a real game that a player's table does not have."""

    player: str
    game_id: str
    position: str
    #: The move in the game's notation, or how the player forfeited instead of making one.
    move: str
    #: The moves before it.
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"it played {self.move} at {self.position} in game {self.game_id}"
