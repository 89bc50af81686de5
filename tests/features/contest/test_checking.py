"""The verdict on a hand-in, by how the process of its check has ended."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.features.contest.checking import CannotCheck, _verdict
from arena.features.hand_in.record import CANNOT_LOAD, PASSED, REFUSED
from tests.golden import Wording

FOLDER = Path("/home/teacher/a rather long name of a folder/contest.db.hand-ins/alice/3")
BOT = FOLDER / "bot.py"


def ended(code: int, output: bytes = b"", complaint: str = "") -> Any:
    return SimpleNamespace(code=code, output=output, complaint=complaint)


def test_a_complaint_names_the_entrant_and_no_part_of_a_path(wording: Wording) -> None:
    cut = f"alice={FOLDER}/bot.py"[:60]
    process = ended(4, complaint=f"arena: player '{cut}…' cannot be loaded: {FOLDER}/bot.py raises")
    result = _verdict(process, "alice", BOT, "bot.py")
    assert result.state == REFUSED
    assert result.problem.startswith(CANNOT_LOAD)
    wording(result.problem, "'alice'")


def test_a_report_names_files_as_their_author_does() -> None:
    report = b'{"findings": [{"where": "%s/bot.py:3"}]}' % str(FOLDER).encode()
    assert _verdict(ended(0, report), "alice", BOT, "bot.py").state == PASSED
    assert _verdict(ended(1, report), "alice", BOT, "bot.py").state == REFUSED
    result = _verdict(ended(1, report), "alice", BOT, "bot.py").report
    assert result == {"findings": [{"where": "bot.py:3"}]}


@pytest.mark.parametrize(
    ("filename", "shown"),
    [("c.py", "c.py"), ("my bot.py", "bot.py"), ("c.zip", "bot.py"), ("bot.py", "bot.py")],
)
def test_a_command_has_the_name_that_the_file_has_at_home(filename: str, shown: str) -> None:
    command = f"arena move carol={BOT} xo_______"
    report = json.dumps({"findings": [{"reproduction": command}]}).encode()
    result = _verdict(ended(1, report), "carol", BOT, filename).report
    assert result == {"findings": [{"reproduction": f"arena move carol={shown} xo_______"}]}


def test_a_spoilt_report_is_refused(wording: Wording) -> None:
    spoilt = _verdict(ended(0, b"{"), "alice", BOT, "bot.py")
    assert (spoilt.state, spoilt.report) == (REFUSED, None)
    wording(spoilt.problem)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (2, "isolation bwrap does not work here: play at all: the player did not answer"),
        (3, "isolation bwrap is required, but players would run in process"),
        (4, "the machine is too busy: a player waited 0.10 of 2.00 s for a CPU"),
        (4, "this machine has no room for alice: 2 GiB"),
        (4, f"alice cannot be started: {os.strerror(errno.EAGAIN)}"),
        (70, "the memory is used up"),
        (1, "KeyError: 'a fault of arena'"),
        (-9, ""),
    ],
)
def test_a_fault_of_the_machine_is_no_verdict(code: int, complaint: str) -> None:
    message = f"^{re.escape(complaint)}$" if complaint else "-9"
    with pytest.raises(CannotCheck, match=message):
        _verdict(ended(code, complaint=f"arena: {complaint}" * bool(complaint)), "alice", BOT, "b")


@pytest.mark.parametrize(
    "complaint",
    [
        "player 'alice': SyntaxError in line 1",
        "alice did not answer in 2 s at xo_______",
        "alice cannot be started: player 'alice': ModuleNotFoundError in line 1",
        "'alice' does not play tictactoe",
    ],
)
def test_a_complaint_of_the_entrant_is_a_verdict(complaint: str) -> None:
    result = _verdict(ended(4, complaint=f"arena: {complaint}"), "alice", BOT, "bot.py")
    assert (result.state, result.problem) == (REFUSED, complaint)
