"""Hold the contents of a store, as frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Record


@dataclass(frozen=True)
class Export(Record):
    """Runs with all their games, as they were at one moment."""

    SCHEMA = "arena.export/1"

    #: Each run with its players, fights and games, as they are in the store.
    runs: tuple[Json, ...]


@dataclass(frozen=True)
class Divergence(Record):
    """The first divergence in a store."""

    #: The run, and the id of the game or the number of the fight, as far as they exist.
    run: int | None
    where: str
    problem: str


@dataclass(frozen=True)
class VerifyReport(Record):
    """The result of checking a store without running a player."""

    SCHEMA = "arena.verify/1"
    KEYS = "store runs games holds divergence"

    store: str
    runs: int
    games: int
    divergence: Divergence | None

    @property
    def holds(self) -> bool:
        """Return whether the store passed the check."""
        return self.divergence is None
