"""Test sequentially that a score has not dropped, on differences between pairs of games."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from statistics import NormalDist
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.features.regress.baseline import Points
from arena.stats import grid
from arena.stats.elo import elo_of
from arena.stats.independence import Observations
from arena.stats.interval import AGRESTI_COULL, score_interval
from arena.stats.sprt import Sprt, sprt

#: The probability that a drop by the margin is not noticed, in each comparison.
MISSED = 0.05

#: The doubled points of a pair are 0 to 4, so differences are -4 to 4.
MAX_DIFFERENCE = 4

#: Drops that are tested for besides the margin: this many times the one before.
DROP_RATIO = 4


class Decision(NamedTuple):
    """The decision of the test, and its hypothesis."""

    #: ``H0`` for a dropped score, ``H1`` for no drop by the margin, ``continue`` for neither.
    decision: str
    #: In points per game.
    drop: float
    test: Sprt


@dataclass(frozen=True)
class NonRegression:
    """Test whether the score is as it was (H1), or has dropped (H0) by the margin or much more.

    A likelihood ratio of two drops that are nearly equal grows slowly even if every game is lost.
    So several tests run side by side, for the margin and for larger drops, each against no drop;
    any of them may find a drop, and they share half of the probability of a false alarm. The other
    half is for the pairs that leave all of them open: their number was fixed beforehand, so their
    interval may find a drop (:meth:`shows_drop`).
    """

    #: Points a game, from 0 to 1.
    margin: float
    #: The probability that a player that is as strong as it was is called weaker.
    false_alarm: float

    def __post_init__(self) -> None:
        if not 0 < self.margin < 1:
            raise UsageError(f"margin {self.margin} is not between 0 and 1 points per game")
        if not 0 < self.false_alarm < 1 - MISSED:
            raise UsageError(f"level {self.false_alarm} is not between 0 and {1 - MISSED}")

    @property
    def drops(self) -> list[float]:
        """The drops that are tested for, the margin first. One point a game is everything."""
        drops = [self.margin]
        while drops[-1] * DROP_RATIO < 1:
            drops.append(drops[-1] * DROP_RATIO)
        return drops

    def of(self, differences: Sequence[Points]) -> Decision:
        """Return the state of the test after pairs with these differences in doubled points."""
        observed = counted(differences)
        decisions = [self._against(drop, observed) for drop in self.drops]
        dropped = next((d for d in reversed(decisions) if d.decision == "H0"), None)
        return dropped or decisions[0]

    def shows_drop(self, differences: Sequence[Points]) -> bool:
        """Return whether the interval of all pairs excludes that the score has not dropped.

        By chance it does so with half of the probability of a false alarm.
        """
        counts, scores = counted(differences)
        interval = score_interval(counts, scores=scores, z=self._quantile)
        return interval is not None and interval[1] < 0.5

    def enough_pairs(self, differences: Sequence[Points]) -> int:
        """Return how many pairs as varied as these find a drop by the margin.

        They miss it with the probability ``MISSED``.
        """
        counts, scores = counted(differences)
        _, _, variance = grid.moments(grid.padded(counts, AGRESTI_COULL), scores)
        quantiles = self._quantile - NormalDist().inv_cdf(MISSED)
        return ceil(4 * variance * (quantiles / self.margin) ** 2)

    def pairs_to_decide(self, differences: Sequence[Points]) -> int:
        """Return about how many pairs end the test, if further ones differ as these do.

        They are at most those of :meth:`enough_pairs`, as a fall between the hypotheses ends it
        late, but twice as many as these if these should have been enough.
        """
        enough = self.enough_pairs(differences)
        if enough <= len(differences):
            enough = 2 * len(differences)
        for times in range(2, 1 + enough // max(1, len(differences))):
            if self.of([*differences] * times).decision != "continue":
                return len(differences) * times
        return enough

    @property
    def _quantile(self) -> float:
        return NormalDist().inv_cdf(1 - self.false_alarm / 2)

    def _against(self, drop: float, observed: Observations) -> Decision:
        """Test on a scale from 0 to 1: 1/2 means unchanged, 0 a drop by one point per game."""
        elo = elo_of((1 - drop) / 2)
        assert elo is not None
        alarm = self.false_alarm / 2 / len(self.drops)
        counts, scores = observed
        test = sprt(counts, elo, 0.0, alpha=MISSED, beta=alarm, scores=scores)
        return Decision(test.decision, drop, test)


def counted(differences: Sequence[Points]) -> Observations:
    """Count the differences in doubled points, from -4 to 4, by their scores from 0 to 1.

    Whole numbers have a cell in any case.

    >>> counted([0, -4, 0]).counts
    (1, 0, 0, 0, 2, 0, 0, 0, 0)
    """
    cells: dict[Points, int] = dict.fromkeys(range(-MAX_DIFFERENCE, MAX_DIFFERENCE + 1), 0)
    for difference in differences:
        cells[difference] = cells.get(difference, 0) + 1
    in_order = sorted(cells.items())
    scores = (
        float(difference + MAX_DIFFERENCE) / (2 * MAX_DIFFERENCE) for difference, _ in in_order
    )
    return Observations(tuple(count for _, count in in_order), tuple(scores))
