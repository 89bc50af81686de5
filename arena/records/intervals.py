"""Hold a score with its interval, and say what the interval is for."""

from __future__ import annotations

from collections.abc import Sequence

from arena.dataclass import dataclass
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Record
from arena.stats import grid
from arena.stats.anytime import anytime_interval
from arena.stats.independence import Observations, SequentialTable
from arena.stats.interval import interval_within, score_interval

#: Kinds of intervals: for a number of observations that was fixed beforehand, after a sequential
#: test has stopped, or at every look, however often one looks.
FIXED, STOPPED, ANYTIME = "fixed n", "after a sequential stop", "anytime"


#: The keys of a fight's JSON that show the record's ``interval``; null without one.
INTERVAL_KEYS = (
    "interval=interval.kind score=interval.score score_low=interval.low score_high=interval.high"
)


@dataclass(frozen=True)
class ScoreInterval(Record):
    """A mean score per game, from 0 to 1, with an interval."""

    #: ``fixed n``, ``after a sequential stop`` or ``anytime``.
    kind: str
    #: A's mean score per game, from 0 to 1.
    score: float
    #: The ends of its 95 % interval.
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float]:
        """The two ends."""
        return self.low, self.high

    @property
    def width(self) -> float:
        """The distance between the ends."""
        return self.high - self.low

    def reversed(self) -> ScoreInterval:
        """Return the opponent's view."""
        return ScoreInterval(self.kind, 1 - self.score, 1 - self.high, 1 - self.low)


def fixed(table: Observations) -> ScoreInterval | None:
    """Return the 95 % interval for a number of observations that was fixed beforehand.

    Scores without luck may lie beyond 0 and 1, and their mean does not.
    """
    if table.scores[0] < 0:
        ends = interval_within(table.counts, table.scores, (0.0, 1.0))
    else:
        ends = score_interval(table.counts, scores=table.scores)
    return None if ends is None else ScoreInterval(FIXED, _mean(table), *ends)


def anytime(
    tables: Sequence[SequentialTable], alpha: float = DEFAULT_ALPHA
) -> ScoreInterval | None:
    """Return the narrowest interval of these tables, which all hold at every look.

    The probability that one of them is ever wrong is at most ``alpha``.
    """
    intervals = [
        ScoreInterval(ANYTIME, _mean(table), *ends)
        for table, share in tables
        if (ends := _anytime_ends(table, alpha * share))
    ]
    return min(intervals, key=lambda interval: interval.width, default=None)


def _anytime_ends(table: Observations, alpha: float) -> tuple[float, float] | None:
    """Return the ends of an interval. Scores without luck are brought between 0 and 1 for it."""
    least, most = min(0.0, table.scores[0]), max(1.0, table.scores[-1])
    width = most - least
    scores = [(score - least) / width for score in table.scores]
    ends = anytime_interval(table.counts, scores=scores, alpha=alpha)
    if ends is None:
        return None
    low, high = (least + end * width for end in ends)
    return max(0.0, low), min(1.0, high)


def interval_of(
    kind: str, score: float | None, low: float | None, high: float | None
) -> ScoreInterval | None:
    """Return the interval if the score and both its ends are known."""
    if score is None or low is None or high is None:
        return None
    return ScoreInterval(kind, score, low, high)


def _mean(table: Observations) -> float:
    return grid.moments(table.counts, table.scores)[1]
