"""Decide when to end a fight: by a sequential test, or when the games have answered a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from arena.fights.estimates import report_stopped
from arena.records.fights import FightResult
from arena.records.intervals import ANYTIME, anytime
from arena.records.paid import NO_ELO
from arena.records.sequential import Hypotheses, SprtFight, SprtLook, SprtReport
from arena.records.spending import NO_SPENDING
from arena.records.until import BETTER, WIDTH, Choice, Until, UntilFight, UntilReport
from arena.stats.elo import elo_of
from arena.stats.independence import SequentialTable
from arena.stats.sprt import sprt

#: Pairs between two looks.
LOOK_PAIRS = 10

#: Most looks that the record of a test has.
MAX_KEPT_LOOKS = 200

#: The rule that ends a fight before all pairs are played.
Aim = Hypotheses | Until


class SequentialTest:
    """The sequential probability ratio test, which looks at a fight after every batch of pairs."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        sprt([0] * 5, **asdict(hypotheses))  # refuses hypotheses that make no sense
        self._hypotheses = hypotheses
        self._path: dict[int, float] = {}

    def is_decided(self, fight: FightResult) -> bool:
        """Return whether the fight needs no more pairs."""
        table = fight.compared
        test = sprt(table.counts, **asdict(self._hypotheses), scores=table.scores)
        if test.llr is not None:
            self._path[fight.pairs] = test.llr
        return test.decision != "continue"

    def played(self, fight: FightResult, cap: int) -> SprtFight:
        """Return the record of the fight, which ended here, with the estimates of the test."""
        test = report_stopped(fight.compared, self._hypotheses, LOOK_PAIRS, fight.seed)
        if fight.paid is not None:
            test = _without_elo(test)
        if fight.repeats and fight.different_openings == 1:
            # One pair does not tell who is stronger, however often it was played.
            test = replace(test, los=None)
        if test.llr is not None and fight.pairs:
            self._path[fight.pairs] = test.llr
        return SprtFight(fight, test, cap, thinned(list(self._path.items())))


def _without_elo(test: SprtReport) -> SprtReport:
    """Return the report of a test of payoffs."""
    reasons = {**test.reasons, "elo": NO_ELO}
    return replace(test, elo=None, elo_low=None, elo_high=None, elo_error=None, reasons=reasons)


def look_at(fight: FightResult, hypotheses: Hypotheses) -> SprtLook:
    """Return what the test of a fight sees now."""
    table = fight.compared
    test = sprt(table.counts, **asdict(hypotheses), scores=table.scores)
    return SprtLook(fight.pairs, test.llr, test.lower, test.upper)


class Question:
    """A question that the anytime-valid interval answers, as of any batch of pairs."""

    def __init__(self, until: Until) -> None:
        self._until = until

    def is_decided(self, fight: FightResult) -> bool:
        """Return whether the fight needs no more pairs."""
        return report_until(fight, self._until).answered

    def played(self, fight: FightResult, cap: int) -> UntilFight:
        """Return the record of the fight, which ended here, with the answer."""
        return UntilFight(fight, report_until(fight, self._until), cap)


def thinned(path: Sequence[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    """Return at most MAX_KEPT_LOOKS looks of a path: one in this many, and the last.

    >>> len(thinned([(at, 0.0) for at in range(1000)])), thinned([(10, 0.5)])
    (168, ((10, 0.5),))
    """
    step = -(-len(path) // (MAX_KEPT_LOOKS - 1)) if len(path) > MAX_KEPT_LOOKS else 1
    return (*path[:-1][::step], *path[-1:])


def report_until(fight: FightResult, until: Until) -> UntilReport:
    """Return what the games so far answer, at whatever look."""
    is_width = fight.paid is None or until.question == WIDTH
    tables = fight.watched if is_width else (SequentialTable(fight.compared, 1.0),)
    interval, margin = anytime(tables, until.alpha), until.margin
    low, high = (0.0, 1.0) if interval is None else (interval.low, interval.high)
    decision = "better" if low > 0.5 else "worse" if high < 0.5 else "undecided"
    is_within = margin is not None and low >= 0.5 - margin and high <= 0.5 + margin
    choice = _choice(fight, low, high, margin or 0.0) if until.compares_costs else None
    if until.compares_costs:
        answered = choice is not None and bool(choice.taken)
    elif until.question == BETTER:
        answered = is_within or decision != "undecided"
    else:
        answered = (high - low) / 2 <= (until.number or 0)
    ends = (None, None, None) if interval is None else (interval.score, low, high)
    elo, elo_low, elo_high = (
        None if end is None or fight.paid is not None else elo_of(end) for end in ends
    )
    return UntilReport(
        rule=str(until),
        margin=margin,
        alpha=until.alpha,
        answered=answered,
        decision=decision,
        within_margin=is_within,
        interval=ANYTIME,
        score=ends[0],
        score_low=ends[1],
        score_high=ends[2],
        elo=elo,
        elo_low=elo_low,
        elo_high=elo_high,
        choice=choice,
    )


def _choice(fight: FightResult, low: float, high: float, margin: float) -> Choice | None:
    """Return which player to take by an interval of A's score.

    The result is None if both cost the same, or the cost of an answer is not known.

    The interval bounds the scores of both players at every look, so it may be asked about whichever
    is cheaper then.
    """
    spent = [player.spent or NO_SPENDING for player in fight.both]
    costs = [each.cost for each in spent]
    if costs[0] == costs[1] or any(each.unpriced for each in spent):
        return None
    cheaper = int(costs[1] < costs[0])
    at_least, at_most = (1 - high, 1 - low) if cheaper else (low, high)
    choice = ""
    if at_least >= 0.5 - margin:
        choice = fight.players[cheaper]
    elif at_most < 0.5 - margin:
        choice = fight.players[1 - cheaper]
    return Choice(fight.players[cheaper], costs[cheaper] / costs[1 - cheaper], choice)
