"""Ratings of players and plans for fights, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from arena.results import Json, Tally


@dataclass(frozen=True)
class Estimated:
    """A number and its 95 % interval; None where the results do not tell."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: Why a number is None, or with whom alone it compares.
    reason: str = ""

    def as_json(self) -> Json:
        """The fields under their names."""
        return asdict(self)


@dataclass(frozen=True)
class RatedPlayer:
    """One player's row in a table of ratings."""

    player: str
    tally: Tally
    elo: Estimated

    def as_json(self) -> Json:
        """The row as in schema ``arena.rate/1``."""
        return {
            "player": self.player,
            "games": self.tally.games,
            **self.tally.as_json(),
            "score": self.tally.score,
            "elo": self.elo.as_json(),
        }


@dataclass(frozen=True)
class RatingTable:
    """The ratings of all players of some results, by Davidson's model of wins, draws and losses."""

    #: The strongest first; a group that compares only within itself comes before who lost to it.
    players: tuple[RatedPlayer, ...]
    #: What moving first is worth, in Elo.
    advantage: Estimated
    #: Even players draw nu / (2 + nu) of their games.
    draws: Estimated
    #: What a reader has to know, in sentences.
    statements: tuple[str, ...]
    #: Of the bootstrap that the intervals come from.
    replicates: int

    def as_json(self) -> Json:
        """Schema ``arena.rate/1``."""
        return {
            "schema": "arena.rate/1",
            "players": [player.as_json() for player in self.players],
            "advantage": self.advantage.as_json(),
            "draws": self.draws.as_json(),
            "statements": list(self.statements),
            "replicates": self.replicates,
        }


@dataclass(frozen=True)
class PlannedTest:
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
        return {**asdict(self), "games": None if self.pairs is None else 2 * self.pairs}


@dataclass(frozen=True)
class Plan:
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
            "players": self.players and list(self.players),
            "counts": list(self.counts),
            "score": self.score,
            "variance": self.variance,
            "games_a_second": self.rate,
            "plan": [test.as_json() for test in self.tests],
            "settings": dict(self.settings),
        }
