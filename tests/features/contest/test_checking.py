"""The verdict on a hand-in, by how the process of its check has ended."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.features.contest.checking import _verdict
from arena.features.hand_in.record import CANNOT_LOAD, PASSED, REFUSED
from tests.golden import Wording

FOLDER = Path("/home/teacher/a rather long name of a folder/contest.db.hand-ins/alice/3")
BOT = FOLDER / "bot.py"


def ended(code: int, output: bytes = b"", complaint: str = "") -> Any:
    return SimpleNamespace(code=code, output=output, complaint=complaint)


def test_a_complaint_names_the_entrant_and_no_part_of_a_path(wording: Wording) -> None:
    cut = f"alice={FOLDER}/bot.py"[:60]
    process = ended(4, complaint=f"arena: player '{cut}…' cannot be loaded: {FOLDER}/bot.py raises")
    found = _verdict(process, "alice", BOT, "bot.py")
    assert found.state == REFUSED
    assert found.problem.startswith(CANNOT_LOAD)
    wording(found.problem, "'alice'")


def test_a_report_names_files_as_their_author_does() -> None:
    report = b'{"findings": [{"where": "%s/bot.py:3"}]}' % str(FOLDER).encode()
    assert _verdict(ended(0, report), "alice", BOT, "bot.py").state == PASSED
    assert _verdict(ended(1, report), "alice", BOT, "bot.py").state == REFUSED
    found = _verdict(ended(1, report), "alice", BOT, "bot.py").report
    assert found == {"findings": [{"where": "bot.py:3"}]}


@pytest.mark.parametrize(
    ("filename", "shown"),
    [("c.py", "c.py"), ("my bot.py", "bot.py"), ("c.zip", "bot.py"), ("bot.py", "bot.py")],
)
def test_a_command_has_the_name_that_the_file_has_at_home(filename: str, shown: str) -> None:
    command = f"arena move carol={BOT} xo_______"
    report = json.dumps({"findings": [{"reproduction": command}]}).encode()
    found = _verdict(ended(1, report), "carol", BOT, filename).report
    assert found == {"findings": [{"reproduction": f"arena move carol={shown} xo_______"}]}


def test_a_check_that_says_nothing_is_refused_with_its_code(wording: Wording) -> None:
    wording(_verdict(ended(-9), "alice", BOT, "bot.py").problem)
    spoilt = _verdict(ended(0, b"{"), "alice", BOT, "bot.py")
    assert (spoilt.state, spoilt.report) == (REFUSED, None)
    wording(spoilt.problem)
