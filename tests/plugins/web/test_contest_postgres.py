"""Hold a contest whose store is on a server: both the server and the database are killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from benchmarks.contesting import RIGHT, TALKING, Contest, contest, prepare, waited
from benchmarks.postgres import PASSWORD, running_server

pytestmark = [
    pytest.mark.needs("starlette", "uvicorn", "locked", "postgres", "psycopg"),
    pytest.mark.slow,
]

DRAWING = "def choose(position, rng):\n    return rng.choice([*position.legal_moves()])\n"
LAST = "def choose(position, rng):\n    return [*position.legal_moves()][-1]\n"


def kill(served: Contest) -> None:
    served.served.process.kill()
    served.served.process.wait()


def wait_for_games(served: Contest) -> None:
    waited(lambda: served.standings()["games"] or None)


def printed(folder: Path, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "arena", *words, "--format", "json"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 3), ran.stderr  # 3: too few games to be sure of the order
    record: dict[str, Any] = json.loads(ran.stdout)
    return record


def tournament_of(folder: Path, url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the store shows, and the tournament of the last files by the command line."""
    hosted = arena.plugin.open_contest(folder / "contest.toml", url)
    files = {name: hosted.laid_out(last).player for name, last in hosted.ranked().items()}
    [run] = arena.stored_runs(url).rows
    shown = printed(folder, "show", url)
    seats = dict.fromkeys(name for fight in shown["fights"] for name in fight["players"])
    players = [f"{name}={files[name]}" for name in seats if name in files]
    words = ["tournament", "contest.toml", *players, "--until", "order", "--engine", "calls"]
    return shown, printed(folder, *words, "--seed", str(run["seed"]))


@pytest.mark.nightly
def test_a_contest_on_a_server_outlives_kills_and_is_its_files_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    prepare(tmp_path)
    with running_server() as database:
        url = database.create()
        with contest(tmp_path, url) as served:
            served.own("start")
            served.passes("alice", RIGHT)
            served.passes("bob", DRAWING)
            wait_for_games(served)
            served.hand_in("carol", LAST)
            kill(served)
        with contest(tmp_path, url) as served:
            assert served.settled("carol")[0]["state"] == "passed"
            database.kill()
            database.start()
            served.passes("dave", TALKING)
            served.passes("alice", DRAWING + "# another\n")
            numbers = {"alice": 2, "bob": 1, "carol": 1, "dave": 1}
            status = served.over(numbers)
        shown, again = tournament_of(tmp_path, url)
        assert {row["player"] for row in status["rows"]} == {"monkey", *numbers}
        assert status["games"] == sum(2 * fight["pairs"] for fight in shown["fights"])
        assert {**shown, "left_out": []} == again
        assert arena.verify(url).divergence is None
