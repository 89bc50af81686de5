"""The executor of a server: what it needs, and what ends it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError, WorkerError
from arena.plugin.manager import load_catalogue
from arena.runs.begin import open_executor
from tests.conftest import Run
from tests.golden import Wording


@pytest.mark.parametrize("text", ["", "@", "0.1", "x@/tmp/s", "2@/tmp/s", "-1@/tmp/s", "0.1@"])
def test_only_a_server_can_name_it(text: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        open_executor(load_catalogue(), f"volunteers:{text}", 1)
    wording(str(caught.value))


def test_it_needs_a_store(run: Run, wording: Wording, tmp_path: Path) -> None:
    ran = run("fight", "monkey", "tree", "-n", "2", "--executor", f"volunteers:0@{tmp_path}/s")
    assert ran.code == 2
    wording(ran.err)


def test_what_others_cannot_play_is_one_line(
    run: Run, wording: Wording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng): return position.legal_moves()[0]\n")
    words = ("--store", "s.db", "--executor", "volunteers:0@s")
    ran = run("fight", "./bot.py", "tree", "-n", "2", *words)
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_a_process_that_cannot_begin_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkerError, match=r"arena resume s\.db 1"):
        arena.fight("monkey", "tree", n=2, store="s.db", executor="volunteers:0@s")
