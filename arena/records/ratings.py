"""Hold ratings of players and plans for fights, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from arena.dataclass import dataclass
from arena.records.base import Record, Tally
from arena.records.paid import Scale
from arena.records.ranks import RankIntervals


@dataclass(frozen=True)
class Estimated(Record):
    """A number and its 95 % interval, or None where the results do not determine it."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: The reason why a number is None, or its limit.
    reason: str = ""


@dataclass(frozen=True)
class RatedPlayer(Record):
    """One player's row in a table of ratings."""

    KEYS = "player games=tally.games *tally score=tally.score elo group rank rank_low rank_high"

    player: str
    tally: Tally
    elo: Estimated
    #: Players of the same group met, directly or through others: only their ratings compare.
    group: int = 1
    #: Place by rating within the group, shared by equal ratings; None without a rating, and for a
    #: player that has not played all its games.
    rank: int | None = None
    #: The ranks that the results leave to it in its group; all intervals hold together at 95 %.
    rank_low: int | None = None
    rank_high: int | None = None


@dataclass(frozen=True)
class ScaleFit(Record):
    """The fit of one scale to the scores of all pairings: :mod:`arena.stats.one_scale`."""

    chi_square: float
    freedom: int
    p_value: float
    #: The share of the variance between pairings that it leaves; None if these do not differ.
    unexplained: float | None


@dataclass(frozen=True)
class RatingTable(Record):
    """The ratings of all players of some results, by Davidson's model of wins, draws and losses."""

    SCHEMA = "arena.rate/1"
    KEYS = (
        "players advantage draws statements method prior rank_intervals compared_by scale"
        " connection replicates"
    )

    #: Always 0: arena no longer makes a bootstrap.
    replicates: ClassVar[int] = 0

    #: By group, the largest first, and within a group by rating, the strongest first.
    players: tuple[RatedPlayer, ...]
    #: Elo that moving first is worth.
    advantage: Estimated
    #: Even players draw nu / (2 + nu) of their games.
    draws: Estimated
    #: Sentences that a reader of the table has to know.
    statements: tuple[str, ...]
    #: Method of the intervals: ``profile`` or ``wald``, see :mod:`arena.stats.profiles`; or
    #: ``simulated``, see :mod:`arena.stats.cutoffs`.
    method: str
    #: The imagined games of each player against an average one; 0 for none.
    prior: float = 0.0
    #: The tests behind the lowest and highest ranks; None without two players that compare.
    rank_intervals: RankIntervals | None = None
    #: The comparison of two players for them: by ``likelihood ratio`` or ``wald``.
    compared_by: str = "wald"
    #: None where no pairing is left to test one scale with.
    scale: ScaleFit | None = None

    @property
    def connection(self) -> str:
        """The link between all ratings: the ``results``, the ``prior`` alone, or ``nothing``."""
        if len({row.group for row in self.players}) <= 1:
            return "results"
        return "prior" if self.prior else "nothing"


@dataclass(frozen=True)
class PlannedTest(Record):
    """The games that one aim needs."""

    KEYS = "aim pairs seconds accepts_h1 reason pairings games cost?"

    #: The question, in words.
    aim: str
    #: None, with the reason, where no number of games is enough or none is known.
    pairs: int | None
    seconds: float | None
    #: Probability that a sequential test accepts H1; None without a test.
    accepts_h1: float | None
    reason: str = ""
    #: Number of pairings that share the pairs.
    pairings: int = 1
    #: The cost of the games, None where no player costs anything.
    cost: Fraction | None = None

    @property
    def games(self) -> int | None:
        """Number of games, or None where no number of pairs is known."""
        return None if self.pairs is None else 2 * self.pairs


@dataclass(frozen=True)
class Plan(Record):
    """The games and minutes that the aims of a fight need."""

    SCHEMA = "arena.plan/1"
    KEYS = "game players counts score variance games_a_second=rate plan=tests settings scale? cost?"

    #: Players of the trial; None if the counts were given.
    players: tuple[str, str] | None
    game: str | None
    #: Pentanomial of the trial, its score from 0 to 1 and the variance of a pair's score.
    counts: tuple[int, ...]
    score: float
    variance: float
    #: Games per second in the trial; None if the counts were given.
    rate: float | None
    #: The games that each aim needs.
    tests: tuple[PlannedTest, ...]
    settings: Mapping[str, float]
    #: What scores stand for in a game that pays, where the hypotheses are normalised Elo.
    scale: Scale | None = None
    #: The cost of a game of the trial; None if no player has a price.
    cost: Fraction | None = None
