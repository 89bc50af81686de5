"""Hold the result of checking a store."""

from __future__ import annotations

from dataclasses import field

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Divergence(Record):
    """The first divergence in a store."""

    #: The run, and the id of the game or the number of the fight, as far as they exist.
    run: int | None
    where: str
    problem: str


@dataclass(frozen=True)
class VerifyReport(Record):
    """The result of checking a store."""

    SCHEMA = "arena.verify/1"
    KEYS = "store runs games holds divergence replayed?"

    store: str
    runs: int
    games: int
    divergence: Divergence | None
    #: The games that were played again, None if none was to be.
    replayed: int | None = None
    #: The parts that were checked, a line for each run and each import. Not in JSON.
    checked_parts: tuple[str, ...] = field(default=(), compare=False)

    @property
    def holds(self) -> bool:
        """Whether the store passed the check."""
        return self.divergence is None
