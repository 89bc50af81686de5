"""A machine with more to do than it has processors: a loop without end is named all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.golden import Wording

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are bound to processors"),
]

LOOP = "def choose(position, rng):\n    while True:\n        pass\n"

#: Processes that compute on two processors, beside the player and its arena.
SPINNERS = 9


def bind() -> None:
    """Have this process, and all that it starts, run on two processors."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


@pytest.fixture
def _load() -> Iterator[None]:
    """Keep two processors busy with processes that the system does not count as one program."""
    spins = [sys.executable, "-c", "while True: pass"]
    spinners = [
        subprocess.Popen(spins, start_new_session=True, preexec_fn=bind) for _ in range(SPINNERS)
    ]
    yield
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


def arena(folder: Path, *words: str) -> tuple[int, Any]:
    (folder / "loop.py").write_text(LOOP)
    options = ["--isolation", "process", "--move-time", "0.3", "--format", "json", "--seed", "1"]
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *words, *options],
        cwd=folder,
        preexec_fn=bind,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, json.loads(ran.stdout)


@pytest.mark.usefixtures("_load")
def test_a_fight_names_the_loop_and_no_game_is_void(tmp_path: Path) -> None:
    code, path = arena(tmp_path, "fight", "./loop.py", "monkey", "-n", "2", "-j", "2")
    assert (code, path["void"], path["unfinished"]) == (4, 0, None)  # it forfeits all
    assert path["forfeits"]["./loop.py"] == {"timeout": 4}
    assert "(stuck at loop.py:" in path["forfeited"][0]["message"]


@pytest.mark.usefixtures("_load")
def test_a_check_prints_its_report(tmp_path: Path, wording: Wording) -> None:
    code, path = arena(tmp_path, "check", "./loop.py")
    [fault] = [finding for finding in path["findings"] if finding["level"] == "fail"]
    assert (code, fault["check"]) == (1, "process")
    wording(fault["message"], "0.3")
    assert "(stuck at loop.py:" in fault["message"]
