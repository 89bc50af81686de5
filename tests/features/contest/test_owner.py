"""What the owner of a contest sets, sees of it, and takes home."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from arena.features.contest.hosted import HostedContest
from tests.features.contest.moments import at
from tests.features.contest.packages import BOT, FIRST

if TYPE_CHECKING:
    from tests.features.contest.conftest import Open


def test_games_that_are_started_say_so_until_the_runner_begins(contest: HostedContest) -> None:
    contest.start()
    assert contest.status().play == "starting"
    contest.play = "waiting"
    assert contest.status().play == "waiting"
    contest.stop()
    assert contest.status().play == "stopped"


def test_the_time_of_the_file_is_known_beside_that_of_the_page(opened: Open) -> None:
    contest = opened(closes="2026-02-01T12:00:00Z")
    contest.close_at("2026-03-01T12:00Z")
    status = contest.status()
    assert (status.closes, status.closes_by_file) == (
        "2026-03-01T12:00:00Z",
        "2026-02-01T12:00:00Z",
    )
    contest.close_by_file()
    assert contest.status().closes == "2026-02-01T12:00:00Z"
    assert opened(closes="2026-04-01T12:00:00Z").status().closes == "2026-04-01T12:00:00Z"


def test_all_hand_ins_are_a_zip_by_entrant_and_time(
    contest: HostedContest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for second, (entrant, content) in enumerate((("bob", BOT), ("alice", FIRST), ("bob", FIRST))):
        at(monkeypatch, f"2026-01-31T12:00:0{second}Z")
        contest.hand_in(entrant, "../my: bot.py", content)
    file = io.BytesIO()
    contest.write_archive(file)
    with ZipFile(file) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "bob/001 2026-01-31 12.00.00 my: bot.py": BOT,
            "alice/001 2026-01-31 12.00.01 my: bot.py": FIRST,
            "bob/002 2026-01-31 12.00.02 my: bot.py": FIRST,
        }
    again = io.BytesIO()
    contest.write_archive(again)
    assert again.getvalue() == file.getvalue()
