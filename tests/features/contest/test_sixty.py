"""Hold a contest of sixty through HTTP, with a server that ends thrice: benchmarks.contest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.nightly
@pytest.mark.needs("starlette", "uvicorn", "locked")
@pytest.mark.timeout(1800)
def test_a_contest_of_sixty_comes_to_the_tournament_of_its_last_files() -> None:
    command = [sys.executable, "-m", "benchmarks.contest", "--entrants", "60", "--minutes", "1"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    result = dict(line.split(": ", 1) for line in ran.stdout.splitlines())
    assert (result["entrants"], result["kills"], result["restarts"]) == ("60", "2", "1")
    assert (result["hand_ins"], result["wrong"], result["same"]) == ("90", "()", "True")
