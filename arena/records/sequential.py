"""Hold sequential tests: on given counts, and of fights that end with a decision."""

from __future__ import annotations

from collections.abc import Mapping

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.fights import WrappedFight
from arena.records.intervals import INTERVAL_KEYS, ScoreInterval, interval_of


@dataclass(frozen=True)
class Hypotheses:
    """The hypotheses of a sequential test: H0, the difference is elo0, and H1, it is elo1."""

    elo0: float
    elo1: float
    #: Probabilities of accepting H1 and H0 wrongly.
    alpha: float = 0.05
    beta: float = 0.05
    #: Meaning of Elo: ``logistic`` or ``normalized``.
    model: str = "logistic"


@dataclass(frozen=True)
class SprtLook(Record):
    """The state of a sequential test while it plays."""

    pairs: int
    #: Log-likelihood ratio, None where it is not defined, and the bounds of the test.
    llr: float | None
    lower: float
    upper: float

    @property
    def remaining(self) -> int | None:
        """The pairs that it needs if the ratio goes on as so far, or None if that is unknown.

        >>> SprtLook(100, 1.0, -2.94, 2.94).remaining, SprtLook(0, 0.0, -2.94, 2.94).remaining
        (194, None)
        """
        if not self.llr:
            return None
        bound = self.upper if self.llr > 0 else self.lower
        return max(0, round(self.pairs * (bound / self.llr - 1)))


@dataclass(frozen=True)
class SprtReport(Record):
    """A sequential test on given counts, with the estimates that the counts allow."""

    SCHEMA = "arena.sprt/1"

    counts: tuple[int, ...]
    #: Score of each count, rising from 0 to 1.
    scores: tuple[float, ...]
    model: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    #: Log-likelihood ratio, None where it is not defined, and the bounds of the test.
    llr: float | None
    lower: float
    upper: float
    #: ``H0``, ``H1`` or ``continue``.
    decision: str
    #: ``FIXED`` or ``STOPPED``: the method of the values below.
    estimate: str
    #: Each value has the ends of its 95 % interval; None for an end without a bound.
    score: float | None
    score_low: float | None
    score_high: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    #: Half the width of the interval.
    elo_error: float | None
    nelo: float | None
    nelo_low: float | None
    nelo_high: float | None
    nelo_error: float | None
    #: Confidence that the true score is above a half: one minus a one-sided p-value.
    los: float | None
    #: The reason for each missing value, by its name.
    reasons: Mapping[str, str]


@dataclass(frozen=True)
class SprtFight(WrappedFight):
    """A fight that went on until a sequential test decided, or to its cap."""

    KEYS = f"*fight {INTERVAL_KEYS} sprt=test sprt.cap=cap sprt.path=path"

    #: The sequential test, with ``--sprt``.
    test: SprtReport
    #: Largest number of pairs.
    cap: int
    #: The looks of the test, at most MAX_KEPT_LOOKS of them: the pairs until then and the
    #: log-likelihood ratio.
    path: tuple[tuple[int, float], ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether the test accepts a hypothesis."""
        return self.test.decision != "continue"

    @property
    def interval(self) -> ScoreInterval | None:
        """A's score with the interval that holds after such a stop, or so far if it goes on."""
        if self.fight.unfinished is not None:
            return self.fight.interval
        test = self.test
        return interval_of(test.estimate, test.score, test.score_low, test.score_high)

    @property
    def stopped_early(self) -> bool:
        """Whether the test asked for no more pairs before it came to the cap."""
        return self.fight.unfinished is None and self.fight.planned < self.cap
