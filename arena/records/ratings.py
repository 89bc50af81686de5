"""Ratings of players and plans for fights, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.records.base import Json, Record, Tally, to_json


@dataclass(frozen=True)
class Estimated(Record):
    """A number and its 95 % interval; None where the results do not tell."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: Why a number is None, or what limits it.
    reason: str = ""


@dataclass(frozen=True)
class RatedPlayer(Record):
    """One player's row in a table of ratings."""

    player: str
    tally: Tally
    elo: Estimated
    #: Players with the same number met, directly or through others: only their ratings compare.
    group: int = 1
    #: The place by rating within the group, shared by equal ratings; None without a rating, and for
    #: who has not played all its games.
    rank: int | None = None

    def as_json(self) -> Json:
        """The row as in schema ``arena.rate/1``."""
        return {
            "player": self.player,
            "games": self.tally.games,
            **self.tally.as_json(),
            "score": self.tally.score,
            "elo": self.elo.as_json(),
            "group": self.group,
            "rank": self.rank,
        }


@dataclass(frozen=True)
class RatingTable(Record):
    """The ratings of all players of some results, by Davidson's model of wins, draws and losses."""

    SCHEMA = "arena.rate/1"

    #: By group, the largest first, and within a group by rating, the strongest first.
    players: tuple[RatedPlayer, ...]
    #: What moving first is worth, in Elo.
    advantage: Estimated
    #: Even players draw nu / (2 + nu) of their games.
    draws: Estimated
    #: What a reader has to know, in sentences.
    statements: tuple[str, ...]
    #: How the intervals were found: ``profile`` or ``wald``, see :mod:`arena.stats.firth`.
    method: str

    def as_json(self) -> Json:
        """Return the fields; the schema keeps the key of a bootstrap that is not made any more."""
        return {**super().as_json(), "replicates": 0}


@dataclass(frozen=True)
class PlannedTest(Record):
    """How much must be played for one certainty."""

    #: What is to be known, in words.
    aim: str
    #: None, with the reason, where no number of games is enough or none can be told.
    pairs: int | None
    seconds: float | None
    #: The probability that a sequential test accepts H1; None for what is no test.
    accepts_h1: float | None
    reason: str = ""

    def as_json(self) -> Json:
        """The fields, and the games."""
        return {**super().as_json(), "games": None if self.pairs is None else 2 * self.pairs}


@dataclass(frozen=True)
class Plan(Record):
    """How many games and minutes wished certainties will take."""

    #: The players of the trial, None if the counts were given.
    players: tuple[str, str] | None
    game: str | None
    #: The pentanomial of the trial, its score from 0 to 1 and the variance of a pair's score.
    counts: tuple[int, ...]
    score: float
    variance: float
    #: Games a second in the trial; None if the counts were given.
    rate: float | None
    tests: tuple[PlannedTest, ...]
    settings: Mapping[str, float]

    def as_json(self) -> Json:
        """Schema ``arena.plan/1``."""
        return {
            "schema": "arena.plan/1",
            "game": self.game,
            "players": to_json(self.players),
            "counts": list(self.counts),
            "score": self.score,
            "variance": self.variance,
            "games_a_second": self.rate,
            "plan": to_json(self.tests),
            "settings": dict(self.settings),
        }
