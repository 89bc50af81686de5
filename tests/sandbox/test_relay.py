"""What a referee says to players and what they answer passes through arena, whole and in order."""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path

import pytest

from arena.player import PlayerInfo
from arena.sandbox.players import program_player
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.shared_box import ProgramEnd, run_together
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="its pipes are those of Linux")

SH = shutil.which("sh") or "sh"


def bot(command: str, tier: str = "process", **limits: float) -> PlayerInfo:
    own = PlayerLimits(tier=tier, game_time=60, **limits)  # type: ignore[arg-type]
    return program_player(f"cmd:{command}", own, COMMAND)


def run(script: str, *players: PlayerInfo) -> ProgramEnd:
    """Run a program of Python whose arguments are the commands of the players."""
    return run_together(
        lambda commands: [sys.executable, "-c", script, *map(" ".join, commands)], players
    )


#: Writes five megabytes to a player that echoes them, and reads them at the same time, slowly.
ECHO = """
import hashlib, subprocess, sys, threading, time
pipe = subprocess.PIPE
player = subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe)
sent = b"".join(b"%d\\n" % number for number in range(700_000))
def say():
    player.stdin.write(sent)
    player.stdin.close()
threading.Thread(target=say).start()
heard = b""
while piece := player.stdout.read1(1 << 16):
    heard += piece
    time.sleep(0.001)
print(len(heard), heard == sent, player.wait())
"""


@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_megabytes_pass_both_ways(tier: str) -> None:
    ended = run(ECHO, bot("cat", tier))
    assert (ended.problem, ended.answer) == ("", "4788890 True 0")


#: Says something to a player and leaves at once, again and again.
LEAVES = """
import subprocess, sys
for number in range(30):
    asked = subprocess.run(sys.argv[1].split(), input=b"%d" % number, capture_output=True)
    assert asked.stdout == b"%d" % number, (number, asked.stdout)
print("well")
"""


@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_who_leaves_at_once_has_been_heard(tier: str) -> None:
    assert run(LEAVES, bot("cat", tier)).answer == "well"


#: Hears a player that never ends to speak, and leaves.
FLOODED = """
import subprocess, sys
player = subprocess.Popen(sys.argv[1].split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert player.stdout.readline() == b"y\\n"
print("enough")
"""


def test_a_player_that_speaks_for_ever_ends_with_the_game() -> None:
    assert run(FLOODED, bot("yes")).answer == "enough"


TALKS = """
import subprocess, sys
for command in sys.argv[1:]:
    player = subprocess.Popen(
        command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    print("your\\nmove", file=player.stdin, flush=True)
    print(player.stdout.readline(), player.communicate()[0])
"""


def test_the_log_of_conversations_has_each_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arena.protocol")
    run(TALKS, bot(f"{SH} -c 'read a; read b; echo $b $a; printf last'"), bot("cat"))
    lines = [record.getMessage() for record in caplog.records]
    assert sorted(line.rpartition("' ")[2] for line in lines[:4]) == [
        *("< move", "< your", "> last", "> move your")
    ]
    assert sorted(lines[4:]) == [
        f"cmd:cat {said}" for said in ("< move", "< your", "> move", "> your")
    ]


def test_a_line_without_an_end_is_cut_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arena.protocol")
    script = FLOODED.replace("readline()", "read(1 << 20)").replace('b"y\\n"', 'b"y" * (1 << 20)')
    zeros = bot(f"{SH} -c 'head -c 2000000 /dev/zero | tr \\\\0 y'")
    assert run(script, zeros).answer == "enough"
    assert caplog.records
    assert max(len(record.getMessage()) for record in caplog.records) < 1000


def test_without_a_log_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    run(TALKS, bot("cat"))
    assert not [record for record in caplog.records if record.name == "arena.protocol"]


def test_no_pipe_stays_open(tmp_path: Path) -> None:
    def open_files() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    run(TALKS, bot("cat"))
    before = open_files()
    run(TALKS, bot("cat"), bot("cat"))
    assert open_files() == before
