"""The contest of the page for the teacher plays games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena
from benchmarks.contesting import Contest, contest, prepare, waited
from tests.docs.reading import ROOT

#: A time for hand-ins that has not come.
OPEN = "closes = 2099-12-01T18:00:00+01:00"


def test_the_page_has_the_file_that_a_new_contest_has(tmp_path: Path) -> None:
    arena.new("contest", "spring", tmp_path)
    file = (tmp_path / "spring" / "contest.toml").read_text()
    page = (ROOT / "docs" / "contest.md").read_text()
    assert page.count(f"```toml\n{file}```\n") == 1


def test_the_page_names_the_files_that_a_new_contest_has(tmp_path: Path) -> None:
    made = arena.new("contest", "spring", tmp_path)
    files = {file.removeprefix("spring/") for file in made.files}
    for text in (
        (ROOT / "docs" / "contest.md").read_text(),
        (tmp_path / "spring" / "README.md").read_text(),
    ):
        named = re.findall(r"^\| `([\w./]+)` \| [a-z]", text, re.MULTILINE)
        assert {"contest.toml", "names.txt", "entrants.md", "poster.html"} < set(named) <= files


@pytest.mark.needs("starlette", "uvicorn", "locked")
@pytest.mark.slow
def test_a_new_contest_plays_games(tmp_path: Path) -> None:
    arena.new("contest", "spring", tmp_path)
    folder = tmp_path / "spring"
    file, changes = re.subn(
        r"^# closes = .*$", OPEN, (folder / "contest.toml").read_text(), flags=re.MULTILINE
    )
    assert changes == 1
    prepare(folder, file=file)
    with contest(folder) as served:
        shown = served.ask("alice", "/", headers={"Accept": "text/html"}).text
        assert "<h1>spring</h1>" in shown
        assert "The first on the last evening wins the cake." in shown
        served.passes("alice", (folder / "example" / "bot.py").read_text())
        served.own("start")
        played = waited(lambda: players_with_games(served))
    assert played <= {"alice", "monkey", "minimax:depth=2"}


def players_with_games(served: Contest) -> set[str] | None:
    """Return the players that have played, or None before the first game."""
    rows = served.standings()["rows"]
    return {row["player"] for row in rows if row["games"]} or None
