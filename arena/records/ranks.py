"""Hold the tests behind the ranks that players can have."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class RankIntervals(Record):
    """The tests behind the lowest and highest ranks in a table. See :mod:`arena.stats.ranks`."""

    #: The chance that the rank of any player lies outside its interval is at most this.
    error: float
    #: Number of comparisons of two players.
    comparisons: int
    #: Standard errors that the largest difference had to reach.
    critical_value: float
    #: Number of differences that are sure.
    decided: int
    #: The independent observations that went in: pairs, openings or single games.
    observations: float
