"""Hold the games that a store took from a file."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class ImportReport(Record):
    """The games that a store took from a file, and those that it did not take."""

    SCHEMA = "arena.import/1"

    store: str
    file: str
    #: Number of the import in the store, counted from 1; None if it took no game.
    number: int | None
    #: Games that were taken.
    games: int
    players: tuple[str, ...]
    #: Number of games that were left out.
    left_out: int
    #: The line and the reason of the first of them.
    problems: tuple[tuple[int, str], ...]
