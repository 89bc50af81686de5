"""Hold a player's strength over time: by regression runs, or by the steps of a training run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.ratings import Estimated
from arena.records.rows import HistoryRow


@dataclass(frozen=True)
class History(Record):
    """The verdicts of all regression runs on a player, the oldest first."""

    SCHEMA = "arena.history/1"
    KEYS = "player history=rows"

    player: str
    #: A verdict each. A value that an older arena did not keep is ``unknown``.
    rows: tuple[Annotated[Mapping[str, Any], HistoryRow], ...]


@dataclass(frozen=True)
class StepRow(Record):
    """The rating of one checkpoint."""

    step: int
    player: str
    games: int
    elo: Estimated
    #: Its Elo less that of the best checkpoint before it; None for the first.
    change: float | None


@dataclass(frozen=True)
class StepHistory(Record):
    """The ratings of the checkpoints of a training run, by step."""

    SCHEMA = "arena.steps/1"
    KEYS = "rows others best statements?"

    rows: tuple[StepRow, ...]
    #: The players without a step, with which the ratings compare.
    others: tuple[str, ...]
    #: The checkpoint with the highest rating, the earliest of equals; None without a rating.
    best: str | None
    #: Sentences that a reader of the ratings has to know.
    statements: tuple[str, ...] = ()
