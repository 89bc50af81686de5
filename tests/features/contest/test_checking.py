"""The verdict on a hand-in, by how the process of its check has ended."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from arena.features.contest.checking import _verdict
from arena.features.hand_in.record import CANNOT_LOAD, PASSED, REFUSED
from tests.golden import Wording

FOLDER = Path("/home/teacher/a rather long name of a folder/contest.db.hand-ins/alice/3")


def ended(code: int, output: bytes = b"", complaint: str = "") -> Any:
    return SimpleNamespace(code=code, output=output, complaint=complaint)


def test_a_complaint_names_the_entrant_and_no_part_of_a_path(wording: Wording) -> None:
    cut = f"alice={FOLDER}/bot.py"[:60]
    process = ended(4, complaint=f"arena: player '{cut}…' cannot be loaded: {FOLDER}/bot.py raises")
    found = _verdict(process, "alice", FOLDER)
    assert found.state == REFUSED
    assert found.problem.startswith(CANNOT_LOAD)
    wording(found.problem, "'alice'")


def test_a_report_names_files_as_their_author_does() -> None:
    report = b'{"findings": [{"where": "%s/bot.py:3"}]}' % str(FOLDER).encode()
    assert _verdict(ended(0, report), "alice", FOLDER).state == PASSED
    assert _verdict(ended(1, report), "alice", FOLDER).state == REFUSED
    found = _verdict(ended(1, report), "alice", FOLDER).report
    assert found == {"findings": [{"where": "bot.py:3"}]}


def test_a_check_that_says_nothing_is_refused_with_its_code(wording: Wording) -> None:
    wording(_verdict(ended(-9), "alice", FOLDER).problem)
    spoilt = _verdict(ended(0, b"{"), "alice", FOLDER)
    assert (spoilt.state, spoilt.report) == (REFUSED, None)
    wording(spoilt.problem)
