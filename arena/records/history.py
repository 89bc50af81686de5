"""Hold what the regression runs of a store found of a player."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Record


@dataclass(frozen=True)
class History(Record):
    """The verdicts of all regression runs on a player, the oldest first."""

    SCHEMA = "arena.history/1"
    KEYS = "player history"

    player: str
    #: A verdict each. A value that an older arena did not keep is ``unknown``.
    rows: tuple[Json, ...]

    @property
    def history(self) -> tuple[Json, ...]:
        """The rows, by their name in JSON."""
        return self.rows
