"""Ctrl-C in the middle of a game: it is nobody's loss, and no player is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import ended
from tests.sandbox.test_rogues import processes_of, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are found in /proc")

#: Both play two games and think for long in the third.
BOT = """
import sys, time
def choose(position, rng):
    sys.games = getattr(sys, "games", 0) + (len(position.legal_moves()) > 7)
    if sys.games == 3:
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
        if games == 3: time.sleep(60)
        print(json.dumps({"id": question["id"], "move": question["legal"][0]}), flush=True)
"""
#: As in a terminal, whatever signals are ignored where the tests run.
ARENA = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from arena.cli import main
raise SystemExit(main())
"""


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("kind", "tier"),
    [
        ("file", "process"),
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
    kept = ["--store", "S", "--format", "json", "--seed", "1"]
    process = subprocess.Popen(
        [sys.executable, "-c", ARENA, "fight", player, "monkey", "-n", "8", *options, *kept],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with ended(process) as arena:
        assert wait_until(lambda: think(bot, int(workers)), 30)
        os.killpg(arena.pid, signal.SIGINT)
        out, err = arena.communicate(timeout=30)
    assert arena.returncode == 130, err
    fight = json.loads(out)
    assert list(fight["forfeits"].values()) == [{}, {}]
    assert fight["void"] == 0
    assert fight["games"] <= 2 * int(workers)
    assert fight["unfinished"] == "interrupted"
    assert wait_until(lambda: not processes_of(bot))


def thinkers(bot: Path) -> set[tuple[str, str]]:
    """The players that are on turn but do not compute, and what they have computed until now."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = (file.parent / "cmdline").read_bytes()
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        is_player = str(bot).encode() in words and not words.partition(b"\0")[0].endswith(b"bwrap")
        is_player &= b"\0fight\0" not in words  # the arena and its workers wait too
        if is_player and fields[0] == "S":  # who is not on turn is stopped, T
            found.add((file.parent.name, fields[11]))
    return found


def think(bot: Path, players: int) -> bool:
    """Whether so many players have been thinking for a while."""
    before = thinkers(bot)
    time.sleep(0.3)
    return len(before & thinkers(bot)) >= players
