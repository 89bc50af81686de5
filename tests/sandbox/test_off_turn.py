"""A player computes in its own turns alone: what it does between them is stopped or charged."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from arena.game import Position
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox import family
from arena.sandbox.fairness import MAX_OFF_TURNS
from tests import needs
from tests.processes import command_lines, wait_until
from tests.sandbox.conftest import Make
from tests.sandbox.remotes import remote_of, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")

#: Has a timer send it the signal to continue, 2 ms after a thread that computes all the time has
#: set it for the last time.
WAKES = """
import ctypes, os, signal, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
create, start = {"x86_64": (222, 223), "aarch64": (107, 110)}[os.uname().machine]
event = struct.pack("=QiiQQ", 0, signal.SIGCONT, 0, 0, 0).ljust(64, b"\\0")
timer = ctypes.c_int()
is_refused = libc.syscall(create, 1, event, ctypes.byref(timer))
def compute():
    while True:
        if not is_refused:
            libc.syscall(start, timer.value, 0, struct.pack("=4q", 0, 0, 0, 2_000_000), None)
        end = time.monotonic() + 0.001
        while time.monotonic() < end: pass
threading.Thread(target=compute, daemon=True).start()
"""

FILE = WAKES + "def choose(position, rng): return position.legal_moves()[0]\n"

PROGRAM = f"""#!{sys.executable}
{WAKES}
import json
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "move":
        print(json.dumps({{"id": question["id"], "move": question["legal"][0]}}), flush=True)
"""


LAST = PlayerInfo("last", lambda position, rng: position.legal_moves()[-1])


def opponent(folder: Path, seconds: float = 0.05) -> PlayerInfo:
    """Return a player that waits in its turns until what plays there has computed, or does not."""

    def choose(position: Position, rng: object) -> int:
        rogues = command_lines(str(folder))
        before = sum(map(family.computed, rogues))
        wait_until(lambda: sum(map(family.computed, rogues)) - before >= seconds, 4 * seconds)
        return position.legal_moves()[-1]

    return PlayerInfo("patient", choose)


def play(catalogue: Catalogue, first: PlayerInfo, second: PlayerInfo) -> GameRecord:
    return play_game(catalogue.game("mnk-7-7-7"), (first, second), "x", (Stream(), Stream()))


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("locked", "bwrap"))
@pytest.mark.parametrize("text", [FILE, PROGRAM], ids=["file", "program"])
def test_a_player_cannot_continue_itself(
    tier: str, text: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    bot = written(tmp_path, text)
    player = made(bot if text is FILE else f"cmd:{bot}", tier=tier)
    assert play(catalogue, player, opponent(tmp_path)).forfeit is None
    process = remote_of(player).take(False)
    time.sleep(0.1)  # on a busy machine the system takes a while to stop it
    before = process.family.used().computed
    time.sleep(0.2)
    computed = process.family.used().computed - before
    process.end()
    assert computed <= 0.005


@pytest.mark.slow  # on a busy machine the arena cannot tell whether the system was slow to stop it
@pytest.mark.parametrize("text", [FILE, PROGRAM], ids=["file", "program"])
def test_a_player_that_continues_itself_forfeits(
    text: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    """Where no filter stops it, the arena measures it."""
    bot = written(tmp_path, text)
    player = made(bot if text is FILE else f"cmd:{bot}", tier="process")
    record = play(catalogue, player, opponent(tmp_path))
    assert record.forfeit is not None
    if record.forfeit.reason == "timeout":  # on a busy machine what it computed uses up its time
        return
    assert record.forfeit.reason == "off-turn"
    assert re.search(r" 0\.\d\d s ", record.forfeit.message)
    # On a busy machine the player computes before its first turn too, or is told from others later.
    assert len(record.moves) >= 2 * MAX_OFF_TURNS


#: Begins to compute in its first turn: the imports of that turn would have to share its time.
BEGINS = "threading.Thread(target=compute, daemon=True).start()\n"
LATE = f"""
{WAKES.replace(BEGINS, "")}
begun = []
def choose(position, rng):
    if not begun:
        begun.append(True)
        {BEGINS}
    return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [LATE, PROGRAM], ids=["file", "program"])
def test_what_a_player_computes_between_its_turns_is_time_that_it_lacks(
    text: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    bot = written(tmp_path, text)
    player = made(bot if text is LATE else f"cmd:{bot}", tier="process", move_time=0.5)
    forfeit = play(catalogue, player, opponent(tmp_path, 0.52)).forfeit
    assert forfeit is not None
    assert forfeit.reason == "timeout"
    assert re.search(r"\b0\.5 s, 0\.\d\d s of which ", forfeit.message)


#: Ignores the end of its children, which compute for it. None is there when its limit is over.
FORKS = f"""#!{sys.executable}
import json, os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def spin(end):
    while time.monotonic() < end: pass
def compute(end):
    for _ in range(6):
        if os.fork() == 0:
            spin(end)
            os._exit(0)
    spin(end + 0.02)
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "move":
        begin = time.monotonic()
        compute(begin + 0.44)
        spin(begin + 0.53)
        compute(begin + 0.78)
        print(json.dumps({{"id": question["id"], "move": question["legal"][0]}}), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_processes_that_vanish_take_no_time_with_them(
    tier: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player = made(f"cmd:{written(tmp_path, FORKS)}", tier=tier, move_time=0.5, import_time=0.1)
    forfeit = play(catalogue, player, LAST).forfeit
    assert forfeit is not None
    assert forfeit.reason == "timeout"


#: Asks a program at every move, and waits for it.
ASKS = f"""#!{sys.executable}
import json, subprocess, sys
work = "import time\\nwhile time.process_time() < 0.12: pass"
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "move":
        subprocess.run([sys.executable, "-S", "-c", work])
        print(json.dumps({{"id": question["id"], "move": question["legal"][0]}}), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_a_player_that_waits_for_its_processes_hides_nothing(
    tier: str, catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player = made(f"cmd:{written(tmp_path, ASKS)}", tier=tier)
    assert play(catalogue, player, LAST).forfeit is None
    process = remote_of(player).take(False)
    used = process.family.used()
    assert not used.is_hidden
    assert used.computed > 4 * 0.12
    process.end()
