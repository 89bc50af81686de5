"""Hold the verdicts of a store's regression runs on a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.rows import HistoryRow


@dataclass(frozen=True)
class History(Record):
    """The verdicts of all regression runs on a player, the oldest first."""

    SCHEMA = "arena.history/1"
    KEYS = "player history=rows"

    player: str
    #: A verdict each. A value that an older arena did not keep is ``unknown``.
    rows: tuple[Annotated[Mapping[str, Any], HistoryRow], ...]
