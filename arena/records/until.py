"""Hold the question that a fight or a tournament is played for, until it is answered.

The intervals of these rules are anytime-valid (:mod:`arena.stats.anytime`): they hold at every look
at once, so nothing depends on when the user looked, or stopped.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import UnknownName, UsageError, quoted
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Record
from arena.records.fights import WrappedFight
from arena.records.intervals import INTERVAL_KEYS, ScoreInterval, interval_of

#: The words of questions, and how each is written. ``width`` has no word of its own.
WIDTH, BETTER, CHEAPEST = "width", "better", "cheapest"
BEST, TOP, ORDER = "best", "top", "order"
FORMS = {
    WIDTH: "±W%",
    BETTER: BETTER,
    CHEAPEST: CHEAPEST,
    BEST: BEST,
    TOP: "top:K",
    ORDER: ORDER,
}

#: The questions of a fight, and those of a tournament.
OF_FIGHTS = (WIDTH, BETTER, CHEAPEST)
OF_TOURNAMENTS = (BEST, TOP, ORDER)

_WIDTH = r"(?:±|\+/?-)?\s*((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(%?)"


@dataclass(frozen=True)
class Until:
    """The question that ends a fight or a tournament as soon as it is answered.

    Raises UsageError if it makes no sense.
    """

    #: ``width``, ``better``, ``cheapest``, ``best``, ``top`` or ``order``.
    question: str
    #: The half-width of ``width`` in points per game, the K of ``top``; None for the others.
    number: float | None = None
    #: Players whose scores differ from a half by no more than this, in points per game, cannot be
    #: told apart, and need not be; None to go on. For ``cheapest`` it is how much worse the cheaper
    #: player may be.
    margin: float | None = None
    #: The probability of a wrong answer, over all looks together.
    alpha: float = DEFAULT_ALPHA

    def __post_init__(self) -> None:
        if self.question not in FORMS:
            raise UnknownName("question", self.question, FORMS)
        if (self.number is not None) != (self.question in (WIDTH, TOP)):
            raise UsageError(f"until {FORMS[self.question]} does not have number {self.number}")
        if self.question == WIDTH:
            _require_half(self.number, "until ±W")
        if self.question == TOP and not _is_count(self.number):
            raise UsageError(f"until top:K takes a whole number from 1, not {self.number}")
        if self.margin is not None:
            if self.question == WIDTH:
                raise UsageError("margin does not go with until ±W, only with a question")
            _require_half(self.margin, "margin")
        elif self.question == CHEAPEST:
            raise UsageError("until cheapest needs a margin: how much worse may the cheaper one be")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha must be between 0 and 1, not {self.alpha:g}")

    @property
    def compares_costs(self) -> bool:
        """Whether the answer depends on what the players cost."""
        return self.question == CHEAPEST

    def __str__(self) -> str:
        """Return the text that is read as the same question.

        >>> str(Until("width", 0.02)), str(Until("top", 3))
        ('±2%', 'top:3')
        """
        if self.question == WIDTH:
            return f"±{percents(self.number or 0)}%"
        return self.question if self.number is None else f"{self.question}:{self.number:g}"


def read_until(
    text: str,
    questions: Container[str] = tuple(FORMS),
    *,
    margin: float | None = None,
    alpha: float = DEFAULT_ALPHA,
) -> Until:
    """Return the question that a text means, of these ``questions``.

    A half-width is written ``±2%``, ``+-2%``, ``2%`` or ``0.02``. Raises UsageError for any other
    text, and for a question that makes no sense.

    >>> read_until("+-2%") == read_until("0.02") == Until("width", 0.02)
    True
    >>> read_until("top:3").number
    3
    """
    width = re.fullmatch(_WIDTH, text.strip())
    word, colon, number = text.strip().partition(":")
    if width is not None and WIDTH in questions:
        return Until(WIDTH, float(width[1]) / (100 if width[2] else 1), margin, alpha)
    forms = {form.partition(":")[0]: form for name, form in FORMS.items() if name in questions}
    _require_not_of_others(WIDTH if width else word, questions, forms.values())
    if word not in forms or word not in FORMS:
        raise UnknownName("question", text, forms.values())
    if (word == TOP) != bool(colon):
        raise UsageError(f"until {quoted(text)} is written {FORMS[word]}")
    if word != TOP:
        return Until(word, None, margin, alpha)
    if not re.fullmatch("[0-9]{1,9}", number, re.ASCII):
        raise UsageError(f"until top:K takes a whole number from 1, not {quoted(number)}")
    return Until(TOP, int(number), margin, alpha)


def _require_not_of_others(question: str, questions: Container[str], forms: Iterable[str]) -> None:
    """Raise UsageError for a question that is asked elsewhere."""
    if question in FORMS and question not in questions:
        kind = "a tournament" if question in OF_TOURNAMENTS else "a fight"
        *others, last = forms
        answerable = f"{', '.join(others)} or {last}"
        raise UsageError(f"until {FORMS[question]} is a question of {kind}; ask here {answerable}")


def percents(share: float) -> str:
    """Return a share in percent, as short as it is exact to nine digits: 0.02 is ``2``."""
    return f"{100 * share:.9g}"


def _require_half(share: float | None, option: str) -> None:
    """Raise UsageError unless a number of points per game is above 0 and below a half."""
    if share is None or not 0 < share < 0.5:
        value = "nothing" if share is None else f"{share:g} ({percents(share)} %)"
        raise UsageError(f"{option} must be above 0 and below 0.5 points per game, not {value}")


def _is_count(value: float | None) -> bool:
    return value is not None and value >= 1 and value % 1 == 0


@dataclass(frozen=True)
class Choice(Record):
    """The player to take of two: the cheaper one, unless it is worse by more than a margin."""

    #: The cheaper player by the games so far.
    cheaper: str
    #: Its cost in terms of the other one's: 0.16 is 16 %.
    share: Fraction
    #: The player to take, empty as long as that is not sure.
    taken: str


@dataclass(frozen=True)
class UntilReport(Record):
    """The answer of a fight to a question, with the estimates that hold after such a stop."""

    SCHEMA = "arena.until/1"
    KEYS = (
        "rule margin alpha answered decision within_margin interval score score_low score_high"
        " elo elo_low elo_high choice?"
    )

    #: The question as it is written, such as ``±2%``, its margin and its error.
    rule: str
    margin: float | None
    alpha: float
    #: Whether the question is answered: ``±W`` by its width, ``better`` by a decision or because
    #: the players cannot be told apart within the margin, ``cheapest`` by a choice.
    answered: bool
    #: ``better``, ``worse`` or ``undecided``: A's score against a half.
    decision: str
    #: Whether the interval lies within the margin around a half.
    within_margin: bool
    #: The kind of the intervals below, which hold with probability 1 - alpha at all looks together.
    interval: str
    #: A's score and its Elo, None without a game or beyond what Elo can say.
    score: float | None
    score_low: float | None
    score_high: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    #: Which player to take, with ``cheapest``.
    choice: Choice | None = None


@dataclass(frozen=True)
class UntilFight(WrappedFight):
    """A fight that went on until its question was answered, or to its cap."""

    KEYS = f"*fight {INTERVAL_KEYS} decision=report.decision until=report until.cap=cap"

    #: The question and its answer, with ``--until``.
    report: UntilReport
    #: Largest number of pairs.
    cap: int

    @property
    def is_decided(self) -> bool:
        """Whether the question is answered."""
        return self.report.answered

    @property
    def interval(self) -> ScoreInterval | None:
        """A's score with the interval that answers the question."""
        report = self.report
        return interval_of(report.interval, report.score, report.score_low, report.score_high)

    @property
    def stopped_early(self) -> bool:
        """Whether it ended before it came to the cap."""
        return self.fight.unfinished is None and self.fight.planned < self.cap
