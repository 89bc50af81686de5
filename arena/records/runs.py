"""Hold the contents of a store, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.game import Game
from arena.records.base import Json, Record


@dataclass(frozen=True)
class Export(Record):
    """Runs with all their games, as they were at one moment."""

    SCHEMA = "arena.export/1"
    KEYS = "runs imports"

    #: Each run with its players, fights and games, as they are in the store.
    runs: tuple[Json, ...]
    #: Each file with games that were played elsewhere.
    imports: tuple[Json, ...] = ()
    #: The rules of the games, by name, as far as they are installed.
    rules: Mapping[str, Game] = field(default_factory=dict, compare=False)


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
    #: Games that were left out, and of the first of them the line and the reason.
    left_out: int
    problems: tuple[tuple[int, str], ...]


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
    #: The parts that were checked, a line for each run and each import. Not in JSON.
    checked: tuple[str, ...] = field(default=(), compare=False)

    @property
    def holds(self) -> bool:
        """Return whether the store passed the check."""
        return self.divergence is None
