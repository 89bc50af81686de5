"""Hold how a hosted contest stands."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Record


@dataclass(frozen=True)
class ContestRow(Record):
    """How a player of a contest stands. Values are from 0 to 1, or payoffs where games pay."""

    player: str
    #: None as long as it has none.
    rank: int | None
    #: The possible ranks; None where none hold yet.
    low: int | None
    high: int | None
    #: The mean of the scores against each other player, where the contest ranks by it.
    value: float | None
    #: The interval of the value, or of the score where there is no value.
    value_low: float | None
    value_high: float | None
    games: int
    #: None in a game that has payoffs of its own, and for more than two players.
    wins: int | None
    draws: int | None
    losses: int | None
    #: Points over games, or the payoff per game; None without games.
    score: float | None
    forfeits: int
    #: The mean place at a table of more than two.
    place: float | None = None
    #: The number of the hand-in that plays; None for a player that is no entrant.
    hand_in: int | None = None
    #: The strongest player of the contest's file that it is surely better than.
    rung: str | None = None

    @property
    def worth(self) -> float | None:
        """What the contest ranks it by: its value, or else its score."""
        return self.score if self.value is None else self.value


@dataclass(frozen=True)
class ContestRanking(Record):
    """The rows of a contest's run so far, and the answer to its question."""

    game: str = ""
    games: int = 0
    #: The rule that ends it, such as ``±2%``; empty without one.
    rule: str = ""
    #: Whether the question is answered.
    decided: bool = False
    #: The error with which the possible ranks hold.
    alpha: float = DEFAULT_ALPHA
    #: Whether they hold whenever somebody looks, and not at the end alone.
    is_watched: bool = False
    rows: tuple[ContestRow, ...] = ()


@dataclass(frozen=True)
class ContestStandings(Record):
    """What a contest shows on its first page."""

    SCHEMA = "arena.contest-standings/1"
    KEYS = "*ranking play phase state waiting closes closed new"

    ranking: ContestRanking = ContestRanking()
    #: ``stopped``, ``starting``, ``waiting`` (for enough players), ``playing``, ``complete`` or
    #: ``failing``.
    play: str = ""
    #: ``so far`` or ``final``: the games of the run. Empty in a contest without a final.
    phase: str = ""
    #: The state of the contest, in words.
    state: str = ""
    #: Hand-ins whose check has not ended.
    waiting: int = 0
    #: When hand-ins close, in UTC as ISO 8601 text; empty for never.
    closes: str = ""
    #: Whether they have closed.
    closed: bool = False
    #: The entrants whose last hand-in has not played yet.
    new: tuple[str, ...] = ()

    @property
    def by_player(self) -> dict[str, ContestRow]:
        """The rows by their players."""
        return {row.player: row for row in self.ranking.rows}
