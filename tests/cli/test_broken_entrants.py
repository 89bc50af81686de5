"""A file that does not load withdraws alone: everybody else plays, and all such files are named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")

GOOD = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
BROKEN = {
    "./dave.py": (
        "def choose(position, rng)\n    return 0\n",
        "SyntaxError in line 1: expected ':'",
    ),
    "./eve.py": ("import nowhere\n", "ModuleNotFoundError in line 1: No module named 'nowhere'"),
    "./finn.py": ("import os\nos._exit(3)\n", "exit code 3"),
    "./gina.py": ("", "no function choose(position, rng)"),
}


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for name, (text, _) in BROKEN.items():
        Path(name).write_text(text)
    Path("anna.py").write_text(GOOD)
    return ["./anna.py", "monkey", *BROKEN]


@pytest.mark.parametrize("isolation", ["auto", pytest.param("none", marks=pytest.mark.slow)])
def test_broken_files_are_withdrawn_and_the_others_play(
    entries: list[str], run: Run, isolation: str
) -> None:
    words = ["tournament", *entries, "-n", "2", "--seed", "1", "--isolation", isolation]
    code, out, err = run(*words, "--format", "json", "--store", "S")
    assert code == 4
    record = json.loads(out)
    assert record["withdrawn"].keys() == BROKEN.keys()
    for name, (_, problem) in BROKEN.items():
        assert problem in record["withdrawn"][name]
        (line,) = [line for line in err.splitlines() if line.startswith(f"arena: {name} ")]
        assert problem in line
        assert line.count(name) == 1
    for fight in record["fights"]:
        assert fight["pairs"] == (0 if set(fight["players"]) & BROKEN.keys() else 2)
    first, second, *rest = record["standings"]
    assert {first["player"], second["player"]} == {"./anna.py", "monkey"}
    assert [row["missing_pairs"] for row in (first, second)] == [0, 0]
    assert all(row["missing_pairs"] for row in rest)
    assert run("show", "--store", "S", "--format", "json").out == out


@pytest.mark.slow
def test_a_file_that_was_mended_plays_when_the_run_is_resumed(entries: list[str], run: Run) -> None:
    words = ["tournament", "./anna.py", "./dave.py", "monkey", "-n", "2", "--seed", "1"]
    assert run(*words, "--store", "S").code == 4
    Path("dave.py").write_text(GOOD)
    code, out, err = run("resume", "S", "--changed-players", "keep", "--format", "json")
    assert (code, err) == (0, "")
    assert {fight["pairs"] for fight in json.loads(out)["fights"]} == {2}
    assert all(
        fight["isolation"].get("./dave.py", "x") != "none" for fight in json.loads(out)["fights"]
    )


@pytest.mark.slow
def test_a_broken_file_that_comes_late_is_as_one_that_was_there(
    entries: list[str], run: Run
) -> None:
    words = ["-n", "2", "--seed", "1", "--format", "json"]
    assert run("tournament", "./anna.py", "monkey", *words, "--store", "S").code == 0
    late = [f"--add={name}" for name in BROKEN]
    code, out, _ = run("resume", "S", *late, "--format", "json")
    assert (code, out) == (4, run("tournament", *entries, *words).out)


def test_a_file_that_is_not_there_is_a_mistake_of_the_command(
    entries: list[str], run: Run, wording: Wording
) -> None:
    code, out, err = run("tournament", "./anna.py", "./nobody.py", "monkey", "-n", "1")
    assert (code, out) == (2, "")
    wording(err, "'./nobody.py'")


@pytest.mark.slow
@pytest.mark.usefixtures("entries")
def test_a_run_with_a_withdrawn_entrant_is_complete(run: Run) -> None:
    words = ("tournament", "./dave.py", "monkey", "triples", "-n", "1", "--store", "S")
    assert run(*words).code == 4
    assert "complete, 1 withdrawn" in run("runs", "S").out
