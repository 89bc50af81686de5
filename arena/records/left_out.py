"""Name the players whose games in a tournament do not count any more."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class LeftOut(Record):
    """A player whose games do not count any more: it was withdrawn or replaced."""

    player: str
    #: Number of its games that do not count.
    games: int
    #: The player that took its seat; None if it was withdrawn.
    replaced_by: str | None = None
