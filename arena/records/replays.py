"""The record of one game, move by move."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Record
from arena.records.fights import ForfeitedGame


@dataclass(frozen=True)
class ReplayReport(Record):
    """One game, move by move: played again from its id, or a person's, or from a file."""

    SCHEMA = "arena.replay/1"
    KEYS = "game_id game game_version seed players moves opening outcome winner forfeit"

    #: None for a game that cannot be played again.
    game_id: str | None
    game: str
    game_version: int
    seed: int | None
    #: Who moved first and who second.
    players: tuple[str, str]
    #: The moves in the game's notation, and the picture after 0, 1, 2, ... of them.
    moves: tuple[str, ...]
    pictures: tuple[str, ...]
    #: ``first``, ``second`` or ``draw``; None while the game goes on.
    outcome: str | None
    forfeit: ForfeitedGame | None = None
    #: The text of the position that it began from; empty for the start.
    opening: str = ""
    #: Who made the first of the moves, 0 or 1 of the players: 1 from an opening of odd length.
    begins: int = 0

    def mover(self, ply: int) -> str:
        """The name of the player who made move 0, 1, ..."""
        return self.players[(self.begins + ply) % 2]

    @property
    def winner(self) -> str | None:
        """The name of the player who won, None for a draw or a game that goes on."""
        return {"first": self.players[0], "second": self.players[1]}.get(self.outcome or "")

    def as_json(self) -> Json:
        """Return the game without its pictures; without an opening that is None."""
        return {**super().as_json(), "opening": self.opening or None}
