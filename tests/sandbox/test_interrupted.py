"""Ctrl-C in the middle of a game: it is nobody's loss, and no player is left."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ended, wait_until
from tests.sandbox.test_rogues import processes_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are found in /proc")

#: Both play two games and think for long in the third, with much memory: that can be seen.
BOT = """
import sys, time
def choose(position, rng):
    sys.games = getattr(sys, "games", 0) + (len(position.legal_moves()) > 7)
    if sys.games == 3:
        sys.thought = b"x" * 200_000_000
        time.sleep(60)
    return position.legal_moves()[0]
"""
PROGRAM = """#!/usr/bin/env python3
import json, sys, time
games = 0
for line in sys.stdin:
    question = json.loads(line)
    games += question["type"] == "start"
    if question["type"] == "move":
        if games == 3:
            thought = b"x" * 200_000_000
            time.sleep(60)
        print(json.dumps({"id": question["id"], "move": question["legal"][0]}), flush=True)
"""
#: As in a terminal, whatever signals are ignored where the tests run.
ARENA = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from arena.main import main
raise SystemExit(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("kind", "tier"),
    [
        pytest.param("file", "process", marks=pytest.mark.slow),
        pytest.param("file", "locked", marks=pytest.mark.needs("locked")),
        pytest.param("file", "bwrap", marks=pytest.mark.needs("bwrap")),
        pytest.param("program", "bwrap", marks=pytest.mark.needs("bwrap")),
    ],
)
def test_a_running_game_is_nobodys_loss(kind: str, tier: str, workers: str, tmp_path: Path) -> None:
    bot = tmp_path / ("bot" if kind == "program" else "bot.py")
    bot.write_text(PROGRAM if kind == "program" else BOT)
    bot.chmod(0o755)
    player = f"cmd:{bot}" if kind == "program" else str(bot)
    options = ["--move-time", "100", "--game-time", "200", "--isolation", tier, "-j", workers]
    stored = ["--store", "S", "--format", "json", "--seed", "1"]
    process = subprocess.Popen(
        [sys.executable, "-c", ARENA, "fight", player, "monkey", "-n", "8", *options, *stored],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with ended(process) as arena:
        assert wait_until(lambda: len(thinkers(bot)) >= int(workers), 60)
        os.killpg(arena.pid, signal.SIGINT)
        out, err = arena.communicate(timeout=30)
    assert arena.returncode == 130, err
    fight = json.loads(out)
    assert list(fight["forfeits"].values()) == [{}, {}]
    assert fight["void"] == 0
    assert fight["games"] <= 2 * int(workers)
    assert fight["unfinished"] == "interrupted"
    assert wait_until(lambda: not processes_of(bot))


def thinkers(bot: Path) -> list[str]:
    """Return the processes of players that think for long, by the memory that they take."""
    results = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = (file.parent / "cmdline").read_bytes()
            resident = int(file.read_text().rpartition(")")[2].split()[21]) * resource.getpagesize()
        except OSError:
            continue
        if str(bot).encode() in words and resident > 200_000_000:
            results.append(file.parent.name)
    return results
