"""A program that starts players: how it ended is told, and nothing of it is left."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from arena.errors import UsageError, Withdrawn
from arena.executors.endings import describe_ending
from arena.player import PlayerInfo
from arena.sandbox.bridges import bridges
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


def alone(*command: str) -> Callable[[object], tuple[str, ...]]:
    """Return the command of a program that starts no player."""
    return lambda _: command


def starting(*command: str) -> Callable[[Sequence[Sequence[str]]], list[str]]:
    """Return the command of a program, with a word for each player: the command that starts it."""
    return lambda players: [*command, *map(" ".join, players)]


def run_script(script: str, tier: str = "process", **limits: float) -> ProgramEnd:
    return run_together(alone(SH, "-c", script), bots(tier, **limits))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 1; echo 2 3; echo; echo no >&2", ("", "2 3", "no")),
        ("echo 1 0; exit 3", (describe_ending(3), "1 0", "")),
        ("kill -KILL $$", (describe_ending(-9), "", "")),
        ("read line; echo $?", ("", "1", "")),
        ("printf '\\377 1'", ("", "\\xff 1", "")),
    ],
)
def test_how_a_program_ended_is_told(script: str, expected: tuple[str, str, str]) -> None:
    ended = run_script(script)
    assert (ended.problem, ended.answer, ended.complaint) == expected


@pytest.mark.slow
def test_of_ten_megabytes_the_end_is_kept() -> None:
    result = run_script("yes chatter | head -c 10000000; yes | tr -d '\\n' | head -c 100000")
    assert (result.problem, len(result.answer)) == ("", MAX_KEPT_BYTES)
    assert run_script("yes chatter | head -c 10000000; echo 1 0").answer == "1 0"


@pytest.mark.parametrize("script", few(["sleep 1000", "exec >&- 2>&-; sleep 1000", "yes >&2"]))
def test_a_program_that_does_not_end_is_ended(script: str, wording: Wording) -> None:
    result = run_script(script, game_time=0.2)
    wording(result.problem, "0.4", "--game-time")


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
    results = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if name.encode() in words[1:]:
                results.append(entry.name)
    return results


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
    result = run_together(alone(sys.executable, str(leaves), name, *["stay"] * stays), own)
    assert result.problem.startswith("not done" if stays else "")
    assert result.answer == "1 0" or stays  # on a busy machine it may be late to say so
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
        _, output = arena.communicate(timeout=60)
    expected = -number if number == signal.SIGKILL else 128 + number
    assert arena.returncode == expected, output
    assert wait_until(lambda: not running(name))


def test_a_program_that_is_not_started_is_told(tmp_path: Path, wording: Wording) -> None:
    script = tmp_path / "script"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)
    with wording.raises(CannotRun, match="'/nowhere/interpreter'"):
        run_together(alone(str(script)), bots("process"))
    limits = PlayerLimits(tier="process")
    broken = program_player(f"cmd:{shlex.quote(str(script))}", limits, COMMAND)
    with wording.raises(Withdrawn, match="'/nowhere/interpreter'"):
        run_together(alone(SH, "-c", "echo 1 0"), [broken, broken])


def test_players_of_which_no_limits_are_known_have_the_usual_ones() -> None:
    own = PlayerInfo("mine", print, command=(SH, "-c", "exit"))
    assert run_together(alone(SH, "-c", "echo 1 0"), [own, own]).answer == "1 0"


@pytest.mark.needs("bwrap")
def test_a_box_has_the_files_and_the_limits_of_who_is_in_it(tmp_path: Path) -> None:
    for name in ("one", "other", "third"):
        (tmp_path / name).write_text(name)
    reads = PlayerLimits(tier="bwrap", readable=(f"{tmp_path}/third",))
    small = PlayerLimits(tier="bwrap", memory=64)
    tells = shlex.join([SH, "-c", f"cd {tmp_path}; cat $* | tr -d '\\n'; ulimit -d", "sh"])
    everything = "one other third"
    one = program_player(f"cmd:{tells} {everything} {tmp_path}/one", reads, COMMAND)
    other = program_player(f"cmd:{tells} {everything} {tmp_path}/other", small, COMMAND)
    script = f"$1; $2; cd {tmp_path}; cat {everything} | tr '\\n' ' '; ulimit -d"
    result = run_together(starting(SH, "-c", script, "sh"), [one, other])
    assert result.output.split() == [
        f"onethirdone{512 << 10}", f"otherother{64 << 10}", f"third{512 << 10}"
    ]  # fmt: skip
    assert "No such file" in result.complaint


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_a_program_talks_with_players_and_starts_one_again(tier: str) -> None:
    own = PlayerLimits(tier=tier)
    players = [program_player(f"cmd:sed -u s/^/{name}/", own, COMMAND) for name in "abcd"]
    script = 'for bot in "$1" "$2" "$3" "$4" "$2"; do echo ":$bot" | cut -c1 | $bot; done'
    ended = run_together(starting(SH, "-c", script, "sh"), players)
    assert (ended.problem, ended.output.split()) == ("", ["a:", "b:", "c:", "d:", "b:"])


#: Starts a player again and again, each time as soon as it has ended.
AGAIN = """
import subprocess, sys
for number in range(int(sys.argv[2])):
    pipe = subprocess.PIPE
    player = subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    print(number, file=player.stdin, flush=True)
    answer = player.stdout.readline().strip()
    assert answer == f"a{number}", (number, answer)
    assert player.stdout.read() == player.stderr.read() == ""
    assert player.wait() == 0
    if number % 2:
        player.stdin.close()
print("1 0")
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_a_program_starts_a_player_again_as_soon_as_it_has_ended(tier: str) -> None:
    own = PlayerLimits(tier=tier, game_time=20)
    once = program_player(f"cmd:{SH} -c 'read line; echo a$line'", own, COMMAND)
    command = starting(sys.executable, "-c", AGAIN)
    ended = run_together(lambda players: [*command(players), "50"], [once])
    assert (ended.problem, ended.complaint, ended.answer) == ("", "", "1 0")


def test_a_folder_with_a_blank_has_bridges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "a $(touch b) folder"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    pipe = folder / "arena-bridges-pipe"
    os.mkfifo(pipe)
    echoes = program_player(
        f"cmd:{SH} -c 'read line; echo a$line'", PlayerLimits("process"), COMMAND
    )
    script = 'echo 1 | "$1" "$2"'
    command = lambda players: [SH, "-c", script, "sh", *players[0]]  # noqa: E731
    assert run_together(command, [echoes]).answer == "a1"
    assert [*folder.iterdir()] == [pipe]


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "bwrap"))
def test_who_ends_is_told_and_can_be_written_to(tier: str) -> None:
    own = PlayerLimits(tier=tier)
    fails = program_player(f"cmd:{SH} -c 'read line; echo no dice >&2; exit 1'", own, COMMAND)
    ended = run_together(starting(sys.executable, "-c", WRITES), [fails, *bots(tier)])
    assert (ended.problem, ended.answer) == ("", "''")
    assert ended.complaints == ("no dice", "", "")


#: Writes to a player that has ended, and says what it answers.
WRITES = """
import subprocess, sys, time
pipe = subprocess.PIPE
with subprocess.Popen(sys.argv[1].split(), stdin=pipe, stdout=pipe, text=True) as player:
    print("move", file=player.stdin, flush=True)
    answer = player.stdout.read()
    for _ in range(9):
        time.sleep(0.02)
        print("move", file=player.stdin, flush=True)
print(repr(answer))
"""


def test_a_bridge_is_gone_after_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert run_script("echo 1 0").answer == "1 0"
    with pytest.raises(CannotRun):
        run_together(alone(str(tmp_path / "nothing")), bots("process"))
    assert list(tmp_path.iterdir()) == []


def test_a_bridge_of_a_process_that_was_killed_goes_with_the_next_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / "arena-bridges-left"
    (folder / "0").mkdir(parents=True)
    with bridges(1) as (used,):
        assert run_script("echo 1 0").answer == "1 0"
        assert list(tmp_path.iterdir()) == [used.folder.parent]
    assert list(tmp_path.iterdir()) == []


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
