"""Hold a player's deviation from its proved moves."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Deviation(Record):
    """A move in a real game that is not in the player's table."""

    player: str
    game_id: str
    position: str
    #: The move in the game's notation, or how the player forfeited instead.
    move: str
    #: The moves before it.
    line: tuple[str, ...]

    def __str__(self) -> str:
        return f"it played {self.move} at {self.position} in game {self.game_id}"
