"""The executor that plays nothing: the run waits in its store."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("fight", "monkey", "tree", "-n", "5"),
        ("fight", "monkey", "tree", "--until", "better", "--margin", "0.2", "-n", "20"),
        ("tournament", "monkey", "tree", "heuristic", "-n", "3"),
        ("tournament", "monkey", "tree", "heuristic", "-n", "3", "--schedule", "swiss:2"),
    ],
    ids=" ".join,
)
def test_a_run_waits_and_is_played_later(
    words: tuple[str, ...], run: Run, wording: Wording
) -> None:
    ran = run(*words, "--seed", "5", "--store", "s.db", "--executor", "later")
    assert (ran.code, ran.out) == (0, "")
    wording(ran.err)
    assert arena.stored_runs("s.db").rows[0]["played"] == 0
    resumed = run("resume", "s.db", "1")
    assert resumed.out == run(*words, "--seed", "5").out


@pytest.mark.slow
def test_a_complete_run_does_not_wait(run: Run) -> None:
    words = ("fight", "monkey", "tree", "-n", "5", "--seed", "5", "--store", "s.db")
    played = run(*words)
    assert run(*words, "--executor", "later").out == played.out


@pytest.mark.parametrize(
    "words", [("fight", "monkey", "tree", "-n", "5"), ("exact", "monkey", "tree")], ids=" ".join
)
def test_what_no_store_keeps_is_not_begun(
    words: tuple[str, ...], run: Run, wording: Wording
) -> None:
    ran = run(*words, "--executor", "later")
    assert ran.code == 2
    wording(ran.err)
