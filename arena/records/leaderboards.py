"""Hold how players did in several games together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.ranks import RankIntervals


@dataclass(frozen=True)
class LeaderboardRow(Record):
    """One player in all games."""

    KEYS = "rank player score scores rank_low rank_high forfeits cost? seconds_an_answer? faults?"

    rank: int
    player: str
    #: The mean of its scores, in which each game counts alike.
    score: float
    #: Its points per game from 0 to 1 in each of the games, in their order. Of a game with payoffs
    #: from its least to its most one.
    scores: tuple[float, ...]
    #: The ranks that the results leave to it; all intervals hold together at 95 %.
    rank_low: int
    rank_high: int
    #: The number of games that it forfeited.
    forfeits: int
    #: The cost of its answers, None for a player without a price.
    cost: Fraction | None = None
    #: The mean seconds of an answer, None for a player that is no language model.
    seconds_an_answer: float | None = None
    #: The number of answers and requests without a legal move; None for another player.
    faults: int | None = None

    def with_rank(self, rank: int) -> LeaderboardRow:
        """Return the same player at that rank."""
        return replace(self, rank=rank)


@dataclass(frozen=True)
class Leaderboard(Record):
    """The players of tournaments at several games, over all of them."""

    KEYS = "games rows ranks"

    #: The games, each of which counts alike.
    games: tuple[str, ...]
    rows: tuple[LeaderboardRow, ...]
    #: The tests behind the spans of ranks.
    ranks: RankIntervals | None
