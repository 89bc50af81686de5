"""A night notes the commit that it checked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena.store.surroundings import commit


def git(*arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.needs("git")
def test_the_commit_is_that_of_the_folder_and_a_change_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    (bot := tmp_path / "bot.py").write_text("one")
    git("add", "bot.py")
    git("commit", "-q", "-m", "one")
    git("tag", "-m", "v1", "v1")
    made = git("rev-parse", "HEAD")
    (tmp_path / "night.db").touch()
    assert commit() == made
    bot.write_text("two")
    assert commit() == f"{made}+"


def test_without_a_repository_or_git_there_is_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit() == ""
    monkeypatch.setenv("PATH", "")
    assert commit() == ""
