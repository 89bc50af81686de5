"""The tests for a fall share the probability of a false alarm, and rarely miss a fall."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.features.regress.nonregression import NonRegression
from benchmarks.coverage.laws import DIFFERENCES, Array, generator, ratios, tilted, walks
from tests.golden import Wording

#: The two probabilities of an error that docs/regression.md promises.
LEVEL, MISSED = 0.05, 0.05

MARGIN = 0.02

#: Pairs between two looks, for two opponents, and the pairs of a baseline that is large enough.
BATCH, MOST = 10, 4000

#: Runs that are simulated.
RUNS = 500


@pytest.mark.parametrize(
    ("margin", "drops"),
    [
        (0.02, [0.02, 0.08, 0.32]),
        (0.05, [0.05, 0.2, 0.8]),
        (0.25, [0.25]),
        (0.2, [0.2, 0.8]),
        (0.001, [0.001, 0.004, 0.016, 0.064, 0.256]),
    ],
)
def test_the_falls_are_the_margin_and_larger_ones_up_to_everything(
    margin: float, drops: list[float]
) -> None:
    assert NonRegression(margin, LEVEL).drops == drops


@pytest.mark.parametrize(
    ("fall", "differences"),
    [
        (0.02, [-1] * 80 + [0] * 920),
        (0.08, [-1] * 320 + [0] * 680),
        (0.32, [-4] * 60),
    ],
)
@pytest.mark.parametrize("level", [0.05, 0.0125])
def test_each_fall_has_an_equal_share_of_the_false_alarm(
    fall: float, differences: list[int], level: float
) -> None:
    decision = NonRegression(MARGIN, level).of(differences)
    assert decision[:2] == ("H0", fall)
    assert decision.test.lower == pytest.approx(log(level / 3 / (1 - MISSED)))
    assert decision.test.upper == pytest.approx(log((1 - level / 3) / MISSED))


def test_a_rise_of_any_size_is_not_a_fall() -> None:
    test = NonRegression(MARGIN, LEVEL)
    for rise in (1, 2, 4):
        assert test.of([rise] * 200)[:2] == ("H1", MARGIN)
    assert test.of([])[:2] == ("continue", MARGIN)


@pytest.mark.parametrize("margin", [0, -0.1, 1, 1.5])
def test_a_margin_is_between_nothing_and_everything(margin: float, wording: Wording) -> None:
    with wording.raises(UsageError, match=f"margin {margin} "):
        NonRegression(margin, LEVEL)


@pytest.mark.parametrize("level", [0, -0.1, 0.95, 1])
def test_a_level_leaves_room_for_the_falls_that_are_missed(level: float, wording: Wording) -> None:
    with wording.raises(UsageError, match=rf"level {level} .* 0\.95"):
        NonRegression(MARGIN, level)


def decisions(shape: str, fall: float, level: float, series: int) -> NDArray[np.int64]:
    """Simulate series of pairs until the test decides: 1 not weaker, -1 weaker, 0 undecided.

    The bounds are those of the test, and so is each decision at a stop.
    """
    test = NonRegression(MARGIN, level)
    limits = test.of([]).test

    def decide(tables: Array) -> NDArray[np.int64]:
        found = [ratios(tables, (1 - one) / 2, 0.5) for one in test.drops]
        fell = np.any([ratio <= limits.lower for ratio in found], axis=0)
        return np.where(fell, -1, found[0] >= limits.upper).astype(np.int64)

    law = tilted(DIFFERENCES[shape], (1 - fall) / 2)
    tables, decided = walks(law, decide, BATCH, MOST, series, generator(shape, fall, level))
    for table, one in list(zip(tables.astype(int).tolist(), decided.tolist(), strict=True))[:200]:
        differences = [cell - 4 for cell, count in enumerate(table) for _ in range(count)]
        assert test.of(differences).decision == {1: "H1", 0: "continue", -1: "H0"}[one]
    return decided


@pytest.mark.slow
@pytest.mark.parametrize("shape", DIFFERENCES)
@pytest.mark.parametrize("comparisons", [1, 4])
def test_the_runs_with_any_false_alarm_are_as_rare_as_the_level(
    shape: str, comparisons: int
) -> None:
    """With four comparisons, each has a quarter of the level."""
    decided = decisions(shape, 0.0, LEVEL / comparisons, RUNS * comparisons)
    alarms = np.any(decided.reshape(RUNS, comparisons) < 0, axis=1)
    assert alarms.mean() <= LEVEL


@pytest.mark.slow
@pytest.mark.parametrize("shape", DIFFERENCES)
@pytest.mark.parametrize("fall", [MARGIN, 2 * MARGIN, 10 * MARGIN])
def test_a_fall_by_the_margin_or_more_is_rarely_missed(shape: str, fall: float) -> None:
    decided = decisions(shape, fall, LEVEL, RUNS)
    assert (decided > 0).mean() <= MISSED
    assert (decided < 0).mean() >= (0.75 if fall == MARGIN else 0.97), "the others are undecided"
