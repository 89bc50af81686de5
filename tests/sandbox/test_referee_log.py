"""The log has what a referee says to players and what they answer, whole and in order."""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.player import PlayerInfo
from arena.sandbox.noted_copy import BrokenNotes, read_notes
from arena.sandbox.players import program_player
from arena.sandbox.referee_log import Overheard, mark
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.shared_box import ProgramEnd, run_together
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.golden import Wording

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="its pipes are those of Linux")

SH = shutil.which("sh") or "sh"

#: Of the log's lines those of conversations, as the last word of a command and what follows it.
Said = Callable[[], list[str]]


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Said:
    caplog.set_level(logging.DEBUG, "arena.protocol")
    return lambda: [
        re.sub(r".*?(\S+) \(\d+\)", r"\1", line.getMessage()) for line in caplog.records
    ]


def bot(command: str, tier: str = "process") -> PlayerInfo:
    return program_player(f"cmd:{command}", PlayerLimits(tier=tier, game_time=60), COMMAND)


def run(script: str, *players: PlayerInfo) -> ProgramEnd:
    """Run a program of Python whose arguments are the commands of the players."""
    start = "import subprocess, sys\npipe = subprocess.PIPE\n"
    return run_together(
        lambda commands: [sys.executable, "-c", start + script, *map(" ".join, commands)], players
    )


#: Asks its players by turns. Each hears a number and answers the next one.
ASKS = """
ways = {"stdin": pipe, "stdout": pipe, "text": True}
players = [subprocess.Popen(command.split(), **ways) for command in sys.argv[1:]]
number = 0
for turn in range(100):
    player = players[turn % 2]
    print(number, file=player.stdin, flush=True)
    number = int(player.stdout.readline())
print(number)
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_the_log_has_the_order_of_a_whole_game(tier: str, said: Said) -> None:
    counts = f"{SH} -c 'while read n; do echo $((n + 1)); done'"
    assert run(ASKS, bot(f"{counts} a", tier), bot(f"{counts} b", tier)).answer == "100"
    expected = [
        line
        for number in range(100)
        for line in (f"{'ab'[number % 2]} < {number}", f"{'ab'[number % 2]} > {number + 1}")
    ]
    assert said() == expected


#: Starts the player again and again, says something to it and leaves at once.
LEAVES = """
for number in range(20):
    asked = subprocess.run(sys.argv[1].split(), input=b"%d" % number, capture_output=True)
    assert asked.stdout == b"%d" % number, (number, asked.stdout)
print("well")
"""


@pytest.mark.slow
def test_lines_without_an_end_are_logged_with_what_follows(said: Said) -> None:
    assert run(LEAVES, bot("cat")).answer == "well"
    numbers = "".join(map(str, range(20)))
    assert sorted(said()) == [f"cmd:cat < {numbers}", f"cmd:cat > {numbers}"]


#: Writes 300 kB to a player that echoes them, and reads them at the same time, slowly.
ECHO = """
import threading, time
player = subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe)
sent = b"".join(b"%d\\n" % number for number in range(50_000))
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


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_what_exceeds_all_pipes_passes_and_is_logged(tier: str, said: Said) -> None:
    ended = run(ECHO, bot("cat", tier))
    assert (ended.problem, ended.answer) == ("", "288890 True 0")
    for direction in "<>":
        lines = [line for line in said() if line.startswith(f"cmd:cat {direction}")]
        assert lines == [f"cmd:cat {direction} {number}" for number in range(50_000)]


#: Hears a player that speaks for ever, and leaves.
FLOODED = """
player = subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe)
assert player.stdout.readline() == b"y\\n"
player.stdout.close()
print("enough", player.wait())
"""


@pytest.mark.slow
def test_a_player_that_speaks_for_ever_ends_when_nobody_listens(said: Said) -> None:
    assert run(FLOODED, bot("yes")).answer == "enough 0"
    assert set(said()) == {"cmd:yes > y"}


#: Reads what a player says without an end of line.
LONG = """
player = subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe)
print(len(player.stdout.read()))
"""


@pytest.mark.slow
def test_a_long_line_is_cut_in_the_log(said: Said) -> None:
    zeros = bot(f"{SH} -c 'head -c 200000 /dev/zero | tr \\\\0 y'")
    assert run(LONG, zeros).answer == "200000"
    assert 2 <= len(said()) <= 4
    assert all(len(line) < 600 and line.endswith(" characters)") for line in said())


@pytest.mark.parametrize("tier", needs.tiers("bwrap"))
def test_a_player_does_not_see_the_notes(tier: str, said: Said, tmp_path: Path) -> None:
    looks = tmp_path / "looks.sh"
    looks.write_text("cd /tmp/arena-bridges-*/ && echo *\n")
    assert run(LONG, bot(f"{SH} {looks}", tier)).answer == "2"
    [line] = said()
    assert line.endswith(" > 0")


@pytest.mark.slow
def test_without_a_log_nothing_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert run(LEAVES, bot("cat")).answer == "well"
    assert not caplog.records


@pytest.mark.slow
def test_no_pipe_stays_open(said: Said) -> None:
    run(LEAVES, bot("cat"))
    before = len(os.listdir("/proc/self/fd"))
    run(LEAVES, bot("cat"))
    assert len(os.listdir("/proc/self/fd")) == before
    assert said()


@pytest.fixture
def overheard(tmp_path: Path) -> Iterator[Overheard]:
    os.mkfifo(tmp_path / "notes")
    conversations = Overheard(tmp_path / "notes", ["a (1)", "b (1)"])
    yield conversations
    conversations.close()


@pytest.mark.parametrize(
    "junk", [b"junk of a program", b"2<001x", b"0?001x", b"\xff\xff\xff\xff\xff"]
)
def test_what_is_no_note_ends_the_log_of_the_game(
    junk: bytes, overheard: Overheard, said: Said, wording: Wording
) -> None:
    for piece in (b"0<003hi\n1>00", b"3no\n", junk, b"0<003hi\n"):
        os.write(overheard.pipe, piece)
        overheard.read()
    *lines, last = said()
    assert lines == ["a < hi", "b > no"]
    wording(last, "referee ? ")


NOTES = st.lists(st.tuples(st.sampled_from(["0<", "0>", "7>"]), st.binary(max_size=500)))


@pytest.mark.slow
@given(NOTES, st.integers(0, 4))
def test_notes_are_read_as_they_were_written(notes: list[tuple[str, bytes]], missing: int) -> None:
    written = b"".join(
        b"%s%03d%s" % (which.encode(), len(content), content) for which, content in notes
    )
    rest = b"0<500"[:missing]
    assert read_notes(written + rest) == (notes, rest)


def test_a_mark_names_player_and_direction() -> None:
    assert mark(3, "<") == "3<"
    with pytest.raises(BrokenNotes):
        read_notes(b"some other text")
