"""The contest of the page for the teacher plays games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.contesting import RIGHT, Contest, contest, prepare, waited
from tests.docs.reading import ROOT

#: A time for hand-ins that has not come.
OPEN = "closes = 2099-12-01T18:00:00+01:00"


@pytest.mark.needs("starlette", "uvicorn", "locked")
@pytest.mark.slow
def test_the_contest_of_the_page_plays_games(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "contest.md").read_text()
    [file] = re.findall(r"^```toml\n(# contest\.toml.*?)^```", page, re.DOTALL | re.MULTILINE)
    file, changes = re.subn(r"^closes = .*$", OPEN, file, flags=re.MULTILINE)
    assert changes == 1
    prepare(tmp_path, file=file)
    with contest(tmp_path) as served:
        served.passes("alice", RIGHT)
        served.own("start")
        played = waited(lambda: players_with_games(served))
    assert played <= {"alice", "monkey", "minimax:depth=2"}


def players_with_games(served: Contest) -> set[str] | None:
    """Return the players that have played, or None before the first game."""
    rows = served.standings()["rows"]
    return {row["player"] for row in rows if row["games"]} or None
