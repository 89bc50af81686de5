"""Read what a league has published: its store, and its standings by commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.files import read_json
from arena.records.base import Json

#: The files of the published folder that the next run goes on from.
PUBLISHED_STORE, HISTORY_FILE = "league.db", "history.json"

#: Standings of earlier commits that the pages keep.
MAX_COMMITS = 1000


@dataclass(frozen=True)
class LeagueFolder:
    """The published folder of a league. Only the league's own job writes it."""

    #: The store; None before the first.
    store: Path | None = None
    #: The standings by commit, the oldest first, each with its season.
    history: Sequence[Json] = ()

    def store_of(self, season: str) -> Path | None:
        """Return the store if it is of this season."""
        is_same = bool(self.history) and self.history[-1]["season"] == season
        return self.store if is_same else None


#: A league that has published nothing yet.
NOTHING_PUBLISHED = LeagueFolder()


def read_published(folder: str | os.PathLike[str] | None) -> LeagueFolder:
    """Read the published folder. One that is empty, or not there, has nothing.

    Raises UsageError for a history that is not one.
    """
    if folder is None:
        return NOTHING_PUBLISHED
    store, file = Path(folder) / PUBLISHED_STORE, Path(folder) / HISTORY_FILE
    if not file.exists() or not store.exists():
        return NOTHING_PUBLISHED
    try:
        record = read_json(file)
        history = record["history"]
        if not all(isinstance(entry["season"], str) for entry in history):
            raise TypeError
    except (UsageError, KeyError, TypeError, AttributeError) as error:
        problem = f"history {quoted(str(file))}: it is not that of a league"
        raise UsageError(problem) from error
    return LeagueFolder(store, tuple(history))
