"""The page of a night: the first line says what happened, then comes the test."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.features.regress.drops import fixed_drop
from arena.features.regress.page import summary
from arena.features.regress.record import (
    ClaimCheck,
    Comparison,
    Fall,
    LostLine,
    PanelScore,
    RegressionReport,
    RegressionVerdict,
    in_words,
)
from arena.records.proofs import LineStep
from arena.reports.tables import plain
from tests.golden import Wording

COLLAPSE = Comparison(
    "mybot", "connect4", RegressionVerdict.WEAKER, "its score fell", "games",
    panel=(PanelScore("monkey", Fraction(1), Fraction(0)),),
    pairs=15, differing=15, llr=-4.17, margin=0.02, fall=fixed_drop([-4] * 15),
)  # fmt: skip
SAME = replace(COLLAPSE, verdict=RegressionVerdict.SAME, differing=0, fall=None)
POLICY = Comparison(
    "mybot", "tictactoe", RegressionVerdict.WEAKER, "", "policy",
    panel=(PanelScore("monkey", Fraction(9865, 10000), Fraction(9365, 10000)),),
)  # fmt: skip
EQUAL = replace(POLICY, verdict=RegressionVerdict.SAME)
CLAIM = ClaimCheck("mybot", "tictactoe", "never-loses:tictactoe", RegressionVerdict.HOLDS, "")
BROKEN = replace(CLAIM, verdict=RegressionVerdict.BROKEN)
LINE = LostLine("second", (LineStep("1", False, "", ""),), "arena certify mybot")


def night(*checks: ClaimCheck | Comparison, baseline: str | None = "b.json") -> RegressionReport:
    return RegressionReport(
        baseline,
        tuple(check for check in checks if isinstance(check, ClaimCheck)),
        tuple(check for check in checks if isinstance(check, Comparison)),
    )


@pytest.mark.parametrize(
    "report",
    [
        night(COLLAPSE),
        night(POLICY),
        night(BROKEN, replace(POLICY, verdict=RegressionVerdict.BROKEN)),
        night(replace(POLICY, verdict=RegressionVerdict.BROKEN)),
        night(replace(BROKEN, line=LINE), COLLAPSE),
        night(replace(SAME, verdict=RegressionVerdict.UNDECIDED)),
        night(Comparison("mybot", "connect4", RegressionVerdict.FAULT, "it raised " + "x " * 99)),
        night(SAME, EQUAL),
        night(EQUAL),
        night(CLAIM, SAME),
        night(CLAIM, baseline=None),
        night(Comparison("mybot", "g", RegressionVerdict.NEW, "")),
    ],
)  # fmt: skip
def test_the_first_line_says_what_happened_and_counts_only_what_is_there(
    report: RegressionReport, wording: Wording
) -> None:
    wording(summary(report))
    assert " 0 " not in f" {summary(report)}"


def test_the_finding_comes_before_the_test_and_its_interval_is_explained(wording: Wording) -> None:
    text = plain(night(COLLAPSE))
    assert "rather than by nothing" not in text
    wording(text)
    stopped = replace(COLLAPSE, fall=Fall(1.0, 0.9, 1.0, "stopped"))
    wording(plain(night(stopped)))
    assert "interval" not in plain(night(SAME))


@pytest.mark.parametrize(
    "fall",
    [
        Fall(1.0, 0.9, 1.0),
        Fall(0.051, 0.03, 0.072),
        Fall(-0.2, -0.3, 0.1),
        Fall(0.0001, -0.01, 0.01),
    ],
)  # fmt: skip
def test_a_fall_in_words(fall: Fall, wording: Wording) -> None:
    wording(str(fall))


def test_a_fall_by_less_than_the_margin_is_named_and_fails_nothing(wording: Wording) -> None:
    slight = replace(
        COLLAPSE, verdict=RegressionVerdict.NO_WEAKER, margin=0.05, fall=Fall(0.02, 0.004, 0.036)
    )
    report = replace(night(slight), margin=0.05)
    text = plain(report)
    assert report.exit_code == 0
    assert in_words(RegressionVerdict.NO_WEAKER, "0.05", 0.004) in text
    wording(text.splitlines()[0], "mybot", "connect4", "0.020")
    unclear = replace(slight, fall=Fall(0.02, -0.004, 0.044))
    assert in_words(RegressionVerdict.NO_WEAKER, "0.05", 0.004) not in plain(night(unclear))
