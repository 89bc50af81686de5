"""A program that starts players: how it ended is told, and nothing of it is left."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UsageError, Withdrawn
from arena.player import PlayerInfo
from arena.sandbox.players import program_player
from arena.sandbox.settings import PlayerLimits, read_command
from arena.sandbox.shared_box import MAX_KEPT_BYTES, CannotRun, ProgramEnd, run_together
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.golden import Wording
from tests.processes import ended, wait_until
from tests.samples import few

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

SH = shutil.which("sh") or "sh"


def bots(tier: str, **limits: float) -> list[PlayerInfo]:
    own = PlayerLimits(tier=tier, **limits)  # type: ignore[arg-type]
    return [program_player("cmd:cat", own, COMMAND), program_player("cmd:sleep 1", own, COMMAND)]


def run_script(script: str, tier: str = "process", **limits: float) -> ProgramEnd:
    return run_together([SH, "-c", script], bots(tier, **limits))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 1; echo 2 3; echo; echo no >&2", ProgramEnd("", "2 3", "no")),
        ("echo 1 0; exit 3", ProgramEnd("ended with exit code 3", "1 0", "")),
        ("kill -KILL $$", ProgramEnd("killed by SIGKILL", "", "")),
        ("read line; echo $?", ProgramEnd("", "1", "")),
        ("printf '\\377 1'", ProgramEnd("", "\\xff 1", "")),
    ],
)
def test_how_a_program_ended_is_told(script: str, expected: ProgramEnd) -> None:
    assert run_script(script) == expected


def test_of_ten_megabytes_the_end_is_kept() -> None:
    found = run_script("yes chatter | head -c 10000000; yes | tr -d '\\n' | head -c 100000")
    assert (found.problem, len(found.answer)) == ("", MAX_KEPT_BYTES)
    assert run_script("yes chatter | head -c 10000000; echo 1 0").answer == "1 0"


@pytest.mark.parametrize("script", few(["sleep 1000", "exec >&- 2>&-; sleep 1000", "yes >&2"]))
def test_a_program_that_does_not_end_is_ended(script: str, wording: Wording) -> None:
    found = run_script(script, game_time=0.2)
    wording(found.problem, "0.4", "--game-time")


#: Starts a child of its own session, and one that has left its parent too, and writes their names.
LEAVES = """
import os, subprocess, sys
name = sys.argv[1]
subprocess.Popen(["sleep", name], start_new_session=True)
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    os.execvp("sleep", ["sleep", name])
os.wait()
print("1 0", flush=True)
sys.argv[2:] and os.execvp("sleep", ["sleep", name])
"""


def running(name: str) -> list[str]:
    """Return the processes with this argument, by their numbers."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if name.encode() in words[1:]:
                found.append(entry.name)
    return found


@pytest.fixture
def leaves(tmp_path: Path) -> Path:
    file = tmp_path / "leaves.py"
    file.write_text(LEAVES)
    return file


@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
@pytest.mark.parametrize("stays", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_child_is_left_when_it_ends_or_is_late(leaves: Path, tier: str, stays: bool) -> None:
    name = f"12345.{os.getpid()}"
    own = bots(tier, **({"game_time": 1.0} if stays else {}))
    found = run_together([sys.executable, str(leaves), name, *["stay"] * stays], own)
    assert found.problem.startswith("not done" if stays else "")
    assert found.answer == "1 0" or stays  # on a busy machine it may be late to say so
    assert wait_until(lambda: not running(name))


#: Hears Ctrl-C as in a terminal, also where the tests run with signals ignored.
ARENA = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from arena.main import main
raise SystemExit(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_child_is_left_when_arena_is_ended(
    leaves: Path, tier: str, number: signal.Signals
) -> None:
    name = f"12346.{os.getpid()}"
    game = shlex.join([f"referee:{sys.executable}", str(leaves), name, "stay"])
    words = ["fight", "cmd:cat", "cmd:sleep 1", "--game", game, "-n1", "-j1", "--isolation", tier]
    command = [sys.executable, "-c", ARENA, *words]
    pipe = subprocess.PIPE
    with ended(subprocess.Popen(command, text=True, stdout=pipe, stderr=pipe)) as arena:
        assert wait_until(lambda: len(running(name)) >= 3)
        arena.send_signal(number)
        _, told = arena.communicate(timeout=60)
    expected = -number if number == signal.SIGKILL else 128 + number
    assert arena.returncode == expected, told
    assert wait_until(lambda: not running(name))


def test_a_program_that_is_not_started_is_told(tmp_path: Path, wording: Wording) -> None:
    script = tmp_path / "script"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)
    with wording.raises(CannotRun, match="'/nowhere/interpreter'"):
        run_together([str(script)], bots("process"))
    limits = PlayerLimits(tier="process")
    broken = program_player(f"cmd:{shlex.quote(str(script))}", limits, COMMAND)
    with wording.raises(Withdrawn, match="'/nowhere/interpreter'"):
        run_together([SH, "-c", "echo 1 0"], [broken, broken])


def test_players_of_which_no_limits_are_known_have_the_usual_ones() -> None:
    own = PlayerInfo("mine", print, command=(SH, "-c", "exit"))
    assert run_together([SH, "-c", "echo 1 0"], [own, own]).answer == "1 0"


@pytest.mark.needs("bwrap")
def test_the_box_has_the_files_and_the_limits_of_all_players(tmp_path: Path) -> None:
    for name in ("one", "other", "third", "hidden"):
        (tmp_path / name).write_text(name)
    reads = PlayerLimits(tier="bwrap", readable=(f"{tmp_path}/third",))
    one = program_player(f"cmd:cat {tmp_path}/one", reads, COMMAND)
    other = program_player(
        f"cmd:cat {tmp_path}/other", PlayerLimits(tier="bwrap", memory=64), COMMAND
    )
    script = f"cd {tmp_path}; cat hidden; cat one other third | tr '\\n' ' '; ulimit -d"
    found = run_together([SH, "-c", script], [one, other])
    assert found.answer == f"oneotherthird{512 << 10}"
    assert "hidden" in found.complaint


@pytest.mark.parametrize(
    "name",
    [
        "referee:",
        "referee:'a",
        "referee:qzzqxq",
    ],
)
def test_a_command_that_names_no_program_is_refused(name: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as raised:
        read_command("game", name)
    wording(str(raised.value))
