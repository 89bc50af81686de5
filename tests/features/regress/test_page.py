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
    Verdict,
)
from arena.records.proofs import LineStep
from arena.reports.tables import plain

COLLAPSE = Comparison(
    "mybot", "connect4", Verdict.WEAKER, "its score fell", "games",
    panel=(PanelScore("monkey", Fraction(1), Fraction(0)),),
    pairs=15, differing=15, llr=-4.17, margin=0.02, fall=fixed_drop([-4] * 15),
)  # fmt: skip
SAME = replace(COLLAPSE, verdict=Verdict.SAME, differing=0, fall=None)
POLICY = Comparison(
    "mybot", "tictactoe", Verdict.WEAKER, "", "policy",
    panel=(PanelScore("monkey", Fraction(9865, 10000), Fraction(9365, 10000)),),
)  # fmt: skip
EQUAL = replace(POLICY, verdict=Verdict.SAME)
CLAIM = ClaimCheck("mybot", "tictactoe", "never-loses:tictactoe", Verdict.HOLDS, "")
BROKEN = replace(CLAIM, verdict=Verdict.BROKEN)
LINE = LostLine("second", (LineStep("1", False, "", ""),), "arena certify mybot")


def night(*checks: ClaimCheck | Comparison, baseline: str | None = "b.json") -> RegressionReport:
    return RegressionReport(
        baseline,
        tuple(check for check in checks if isinstance(check, ClaimCheck)),
        tuple(check for check in checks if isinstance(check, Comparison)),
    )


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (
            night(COLLAPSE),
            "Weaker: mybot at connect4 fell by 1.00 points per game (95 %: 0.52 to 1.00) in"
            " 15 pairs",
        ),
        (night(POLICY), "Weaker: mybot at tictactoe fell by 0.050 points per game (exact)"),
        (
            night(BROKEN, replace(POLICY, verdict=Verdict.BROKEN)),
            "A claim is broken: mybot at tictactoe did not play as its table says",
        ),
        (
            night(replace(POLICY, verdict=Verdict.BROKEN)),
            "Broken: mybot at tictactoe did not play as its table says",
        ),
        (
            night(replace(BROKEN, line=LINE), COLLAPSE),
            "A claim is broken: mybot at tictactoe loses moving second; mybot at connect4 fell by"
            " 1.00 points per game (95 %: 0.52 to 1.00) in 15 pairs",
        ),
        (
            night(replace(SAME, verdict=Verdict.UNDECIDED)),
            "Undecided: mybot at connect4 is as it was in 15 pairs",
        ),
        (
            night(Comparison("mybot", "connect4", Verdict.FAULT, "it raised " + "x " * 99)),
            f"A fault: mybot at connect4: it raised {'x ' * 43}...",
        ),
        (night(SAME, EQUAL), "Not weaker by 0.02: 2 comparisons show no such fall"),
        (night(EQUAL), "Not weaker: 1 comparison shows no fall"),
        (night(CLAIM, SAME), "Not weaker by 0.02: 1 claim holds, 1 comparison shows no such fall"),
        (night(CLAIM, baseline=None), "1 claim holds; no player was compared"),
        (night(Comparison("mybot", "g", Verdict.NEW, "")), "no player was compared, 1 player is n"),
    ],
)  # fmt: skip
def test_the_first_line_says_what_happened_and_counts_only_what_is_there(
    report: RegressionReport, said: str
) -> None:
    assert summary(report).startswith(said)
    assert " 0 " not in f" {summary(report)}"


def test_the_finding_comes_before_the_test_and_its_interval_is_explained() -> None:
    text = plain(night(COLLAPSE))
    assert "rather than by nothing" not in text
    assert "the interval is the wide one of a fixed number" in text
    stopped = replace(COLLAPSE, fall=Fall(1.0, 0.9, 1.0, "stopped"))
    assert "interval of a fall allows for a test that stops" in plain(night(stopped))
    assert "interval" not in plain(night(SAME))


@pytest.mark.parametrize(
    ("fall", "words"),
    [
        (Fall(1.0, 0.9, 1.0), "fell by 1.00 points per game (95 %: 0.90 to 1.00)"),
        (Fall(0.051, 0.03, 0.072), "fell by 0.051 points per game (95 %: 0.030 to 0.072)"),
        (Fall(-0.2, -0.3, 0.1), "rose by 0.20 points per game (95 %: -0.10 to 0.30)"),
        (Fall(0.0001, -0.01, 0.01), "moved by less than 0.001 points per game (95 %: -0.010 to 0."),
    ],
)  # fmt: skip
def test_a_fall_in_words(fall: Fall, words: str) -> None:
    assert str(fall).startswith(words)
