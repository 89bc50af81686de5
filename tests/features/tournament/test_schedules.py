"""``arena tournament --schedule``: a contest's file, a plugin's fault, and going on after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording

PLUGIN = """
import os
import arena

def first(known):
    if not known.rounds:
        return [("monkey", "lines")]
    return [] if os.path.exists("mended") else [("lines", "lines")]

@arena.hookimpl
def arena_register_schedules(register):
    register("own", lambda text: first)
"""


def test_a_fault_is_exit_code_4_and_the_run_goes_on_when_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(PLUGIN)
    words = ("tournament", "monkey", "lines", "tree", "--schedule", "own", "-n", "2", "--seed", "1")
    ended = run("-p", "./own.py", *words, "--store", "s.db", "--format", "json")
    assert ended.code == 4
    wording(ended.err, "'own'", "./own.py", "round 2", "'lines'")
    record = json.loads(ended.out)
    assert ended.err == f"arena: {record['fault']}\n"
    assert [fight["pairs"] for fight in record["fights"]] == [2]
    Path("mended").touch()
    resumed = run("-p", "./own.py", "resume", "s.db", "--format", "json")
    assert (resumed.code, resumed.err) == (0, "")
    assert json.loads(resumed.out)["fights"] == record["fights"]


@pytest.mark.slow
def test_a_contest_says_its_schedule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = 'seed = 1\npairs = 2\nplayers = ["monkey", "lines", "tree"]\nschedule = "swiss:2"\n'
    Path("contest.toml").write_text(keys)
    played = run("tournament", "contest.toml", "--format", "json")
    record = json.loads(played.out)
    assert (played.code, record["schedule"], len(record["rounds"])) == (0, "swiss:2", 2)
    assert [len(byes) for byes in record["byes"]] == [1, 1]
    assert {"points", "buchholz", "sonneborn_berger"} <= {*record["standings"][0]["marks"]}
    Path("contest.toml").write_text(keys.replace("swiss:2", "swiss:9"))
    refused = run("tournament", "contest.toml")
    assert refused.code == 2
    wording(refused.err)
