"""The certificate of connect four in the repository: its size, its check, and its player."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena.errors import Undecided

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="it measures memory as Linux tells it"),
]

FILE = Path(__file__).parents[2] / "examples" / "certificates" / "connect4.cert"

#: Opens a small certificate, which imports all, and then the large one, whose player plays games.
PLAY = """
import gc, json, os, random, sys
from pathlib import Path
import arena
from arena.errors import Undecided

def memory():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

arena.plugin.open_certificate(sys.argv[1])
before = memory()
player = arena.get_player(f"certified:{sys.argv[2]}").player
after = memory()
minimax, game = arena.get_player("minimax").player, arena.get_game("connect4")
winners, games = [], set()
for seed in range(24):
    rng, position, line = random.Random(seed), game.start(), []
    while position.outcome() is None:
        line.append((minimax if position.to_move else player)(position, rng))
        position = position.play(line[-1])
    winners.append(position.outcome().winner)
    games.add(tuple(line))
print(json.dumps([after - before, player.index.nbytes, winners, len(games)]))
"""


def test_it_is_small_and_its_check_takes_less_than_a_gigabyte() -> None:
    assert FILE.stat().st_size <= 1_500_000
    command = [sys.executable, "-m", "arena", "certify", "--check", str(FILE), "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        record = json.load(process.stdout)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert (record["game"], record["value"]) == ("connect4", "win")
    assert [claim["claim"] for claim in record["claims"]] == ["first wins"]
    assert 1.75 < 8 * FILE.stat().st_size / record["claims"][0]["moves"] < 1.85
    assert used.ru_maxrss << 10 < 1_000_000_000


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_the_certificate_of_its_player_is_the_same_file(tmp_path: Path) -> None:
    again = tmp_path / "again.cert"
    # The side that moves second has no moves in the file: it thinks for itself, and for hours.
    with pytest.raises(Undecided):
        arena.plugin.walk(f"certified:{FILE}", game="connect4", certificate=again, max_seconds=100)
    assert again.read_bytes() == FILE.read_bytes()


@pytest.mark.timeout(600)
def test_its_player_takes_little_memory_and_wins_moving_first(tmp_path: Path) -> None:
    small = tmp_path / "small.cert"
    arena.solve("tictactoe", certificate=small)
    command = [sys.executable, "-c", PLAY, str(small), str(FILE)]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    memory, arrays, winners, games = json.loads(ran.stdout)
    assert 30_000_000 < arrays < memory <= 50_000_000
    assert winners == [0] * 24
    assert games > 12  # chance decides between minimax's best moves
