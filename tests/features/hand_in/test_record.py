"""The findings of a hand-in: what its author has to act on, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.features.hand_in.record import NOT_CHECKED, REFUSED, TOO_LONG, WAITING
from arena.model.codec import decode
from tests.golden import Wording

LEVELS = ("pass", "info", "warning", "fail", "skipped")
ROW = st.fixed_dictionaries(
    {"level": st.sampled_from(LEVELS), "message": st.text(max_size=9)},
    optional={
        "check": st.text(max_size=9),
        "position": st.text(max_size=9),
        "fault": st.just("illegal"),
    },
)


def handed_in(report: Any = None, problem: str = "", state: str = REFUSED) -> arena.records.HandIn:
    return arena.records.HandIn(
        *("anna", 1, "2026-11-23T01:02:03Z", "bot.py", "0", 7, state, report, problem)
    )


@pytest.mark.slow
@given(st.lists(ROW, max_size=8), st.sampled_from(["", "player 'anna': it raises"]))
def test_all_that_is_wrong_is_there_and_failures_are_first(
    rows: list[dict[str, str]], problem: str
) -> None:
    findings = handed_in({"findings": rows}, problem).findings
    levels = [finding["level"] for finding in findings]
    assert levels == sorted(levels)  # fail, warning
    for level in ("fail", "warning"):
        messages = [row["message"] for row in rows if row["level"] == level]
        if problem and level == "fail":
            messages.insert(0, problem)
        assert [each["message"] for each in findings if each["level"] == level] == messages
    keys = ["check", "level", "fault", "message", "position", "moves", "remedy", "reproduction"]
    assert all([*finding] == keys for finding in findings)


def test_a_fault_of_the_server_is_no_finding_of_its_author() -> None:
    assert handed_in(problem=NOT_CHECKED, state=WAITING).findings == ()


@pytest.mark.parametrize("report", [None, {}, {"conforms": True}])
def test_a_report_without_findings_has_none(report: Any) -> None:
    assert handed_in(report).findings == ()


def test_a_file_that_does_not_load_and_a_check_that_lasts_have_remedies(wording: Wording) -> None:
    for problem, fault in (
        ("player 'anna': SyntaxError in line 1", "import-error"),
        (f"{TOO_LONG} 60 s", "timeout"),
        ("its check ended with code -9", ""),
        ("player 'anna': it was not loaded within 10 seconds (stuck at bot.py:3)", "timeout"),
    ):
        [finding] = handed_in(problem=problem).findings
        assert (finding["fault"], finding["message"]) == (fault, problem)
        wording(finding["remedy"])


def test_the_answer_of_a_server_that_does_not_tell_findings_is_read() -> None:
    json = handed_in({"findings": [{"level": "fail", "message": "it forks"}]}).as_json()
    facts = {key: json[key] for key in json if key not in ("findings", "standing")}
    assert decode(arena.records.HandIn, facts).as_json() == json
