"""Reports of sequential tests: every table has one, and it says how it estimates."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.fights.estimates import report, report_stopped
from arena.records.intervals import FIXED, STOPPED
from arena.records.sequential import Hypotheses, SprtReport
from arena.stats.elo import NELO, elo_of
from arena.stats.independence import PAIR_SCORES, Observations
from tests.golden import Wording

NUMBERS = ("score", "elo", "nelo")


def check(test: SprtReport) -> None:
    for name in NUMBERS:
        value, low, high = (getattr(test, f"{name}{end}") for end in ("", "_low", "_high"))
        assert all(number is None or math.isfinite(number) for number in (value, low, high))
        if None not in (value, low, high):
            assert low - 1e-6 <= value <= high + 1e-6
    assert test.los is None or 0 <= test.los <= 1


hypotheses = st.builds(
    lambda elo, gap, model: Hypotheses(elo, elo + gap, model=model),
    st.floats(-500, 500),
    st.sampled_from([1e-12, 0.01, 5.0, 50.0, 1000.0]),
    st.sampled_from(["logistic", "normalized"]),
)
tables = st.lists(st.integers(0, 40), min_size=5, max_size=5)


@pytest.mark.slow
@given(tables, hypotheses)
@settings(max_examples=60)
def test_every_table_has_estimates(counts: list[int], hypotheses: Hypotheses) -> None:
    check(report(counts, hypotheses))
    table = Observations(tuple(counts), PAIR_SCORES)
    stopped = report_stopped(table, hypotheses, 10, 1)
    check(stopped)
    assert stopped.decision == report(counts, hypotheses).decision


def test_both_kinds_say_what_they_are_and_differ() -> None:
    counts = (20, 130, 420, 200, 30)
    plain = report(counts, Hypotheses(0, 10))
    stopped = report_stopped(Observations(counts, PAIR_SCORES), Hypotheses(0, 10), 10, 1)
    assert (plain.estimate, stopped.estimate) == (FIXED, STOPPED)
    assert plain.decision == stopped.decision == "H1"
    assert 0 < (stopped.elo or 0) < (plain.elo or 0)
    assert stopped.as_json()["scores"] == list(PAIR_SCORES)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_score_and_elo_and_normalised_elo_are_the_same_estimate(model: str) -> None:
    table = Observations((20, 130, 420, 200, 30), PAIR_SCORES)
    result = report_stopped(table, Hypotheses(0, 10, model=model), 10, 1)
    for end in ("", "_low", "_high"):
        score = getattr(result, f"score{end}")
        assert getattr(result, f"elo{end}") == pytest.approx(elo_of(score))
    unit = (result.nelo or 0) / ((result.score or 0) - 0.5)
    # The interval of normalised Elo is wider: it allows for the estimated deviation too.
    assert (result.nelo_low or 0) == pytest.approx(unit * ((result.score_low or 0) - 0.5), rel=0.1)
    assert (result.nelo_low or 0) < unit * ((result.score_low or 0) - 0.5)
    assert NELO / unit == pytest.approx(math.sqrt(2 * 0.0435), rel=0.05)


def test_without_results_there_are_reasons(wording: Wording) -> None:
    result = report_stopped(Observations((0,) * 5, PAIR_SCORES), Hypotheses(0, 10), 10, 1)
    assert result.elo is None
    assert result.los is None
    wording(result.reasons["elo"])
