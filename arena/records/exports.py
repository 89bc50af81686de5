"""Hold runs with all their games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

from arena.dataclass import dataclass
from arena.game import Game
from arena.records.base import Json, Record
from arena.records.rows import ExportedImport, ExportedRun


@dataclass(frozen=True)
class Export(Record):
    """Runs with all their games, as they were at one moment."""

    SCHEMA = "arena.export/1"
    KEYS = "runs imports"

    #: Each run with its players, fights and games, as they are in the store.
    runs: tuple[Annotated[Json, ExportedRun], ...]
    #: Each file with games that were played elsewhere.
    imports: tuple[Annotated[Mapping[str, Any], ExportedImport], ...] = ()
    #: The rules of the games, by name, as far as they are installed.
    rules: Mapping[str, Game] = field(default_factory=dict, compare=False)
