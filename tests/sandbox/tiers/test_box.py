"""What a player has in a tier, and how it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.choice import TIERS, choose_tier
from arena.sandbox.tiers import orders
from arena.sandbox.tiers.box import Tier
from tests import needs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stronger tiers are of Linux")

FORKS = """
import os, time
made = 0
try:
    while made < 60:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        made += 1
except OSError:
    pass
print(made, flush=True)
"""

DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("daemon", flush=True)
        time.sleep(30)
    os._exit(0)
time.sleep(30)
"""


def output(process: subprocess.Popen[bytes]) -> str:
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err.decode()
    return out.decode().strip()


def is_closed(pipe: int, seconds: float) -> bool:
    """Whether nobody is left who could write into a pipe."""
    return bool(select.select([pipe], [], [], seconds)[0]) and os.read(pipe, 1) == b""


def test_a_script_is_run_as_if_by_itself(start: Any, tier: Tier) -> None:
    own = (
        "import json, os, sys\n"
        "print(json.dumps([__name__, __file__, sys.argv, hash('a'), os.getcwd(), dict(os.environ),"
        " sorted(map(int, os.listdir('/proc/self/fd')))]))"
    )
    name, file, argv, hashed, folder, environment, descriptors = json.loads(
        output(start(tier, own))
    )
    assert name == "__main__"
    assert argv == [file, "a", "b"]
    assert folder == "/"
    with_seed = {**os.environ, "PYTHONHASHSEED": "0"}
    ask = [sys.executable, "-c", "print(hash('a'))"]
    assert hashed == int(subprocess.check_output(ask, env=with_seed))
    assert environment.pop("PWD", "/") == "/"
    assert environment == {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp"} | {
        "PYTHONHASHSEED": "0"
    }
    assert descriptors == [0, 1, 2, 3]  # the last is of the listing


def test_descriptors_are_passed_under_their_numbers(start: Any, tier: Tier) -> None:
    read_here, write_there = os.pipe()
    read_there, write_here = os.pipe()
    other = os.dup(read_here)
    os.set_inheritable(other, True)
    script = f"import os; os.write({write_there}, os.read({read_there}, 9)); os.fstat({other})"
    process = start(tier, script, (read_there, write_there))
    os.write(write_here, b"question")
    assert os.read(read_here, 9) == b"question"
    assert b"Bad file descriptor" in process.communicate(timeout=10)[1]
    for descriptor in (read_here, write_there, read_there, write_here, other):
        os.close(descriptor)


def test_memory_is_limited(start: Any, tier: Tier) -> None:
    script = "b = bytearray(100 << 20); print(len(b), flush=True); bytearray(200 << 20)"
    out, err = start(tier, script).communicate(timeout=10)
    assert out == b"%d\n" % (100 << 20)
    assert err.strip().endswith(b"MemoryError")


@pytest.mark.slow
def test_computing_is_limited(start: Any, tier: Tier) -> None:
    process = start(tier, "while True: pass", cpu=1)
    process.wait(10)
    assert process.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "allowed", "made"),
    [
        pytest.param("bwrap", 1, "0", marks=pytest.mark.needs("bwrap")),
        pytest.param("bwrap", 8, "7", marks=pytest.mark.needs("bwrap")),
        pytest.param("locked", 8, "0", marks=pytest.mark.needs("locked")),
    ],
)
def test_processes_are_counted_where_they_may_be_started(
    start: Any, name: str, allowed: int, made: str
) -> None:
    bystanders = [subprocess.Popen(["/bin/sleep", "60"]) for _ in range(20)]
    try:
        assert output(start(choose_tier(name), FORKS, processes=allowed)) == made
        assert start(choose_tier("process"), FORKS, processes=8).stdout.readline() == b"60\n"
    finally:
        for bystander in bystanders:
            bystander.kill()
            bystander.wait()


def test_threads_are_limited(start: Any, strong: Tier) -> None:
    script = (
        "import threading, time, os\n"
        "threading.stack_size(1 << 16)\n"
        "made = 0\n"
        "try:\n"
        "    while made < 100:\n"
        "        threading.Thread(target=time.sleep, args=(30,)).start()\n"
        "        made += 1\n"
        "except RuntimeError: pass\n"
        "print(made, flush=True)\n"
        "os._exit(0)\n"
    )
    made = int(output(start(strong, script)))
    # An ordinary user's tier locked counts all that runs on the machine, and leaves room for it.
    assert made == 63 if os.geteuid() == 0 or strong.name == "bwrap" else made >= 63
    assert output(start(choose_tier("process"), script)) == "100"


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user stays who he is")
def test_no_player_is_root(start: Any, strong: Tier) -> None:
    script = (
        "import os; print(os.getresuid(), os.getresgid(), os.getgroups());"
        "print([l for l in open('/proc/self/status') if l.startswith('Cap')])"
    )
    process = start(strong, script, readable=(Path("/proc"),) if strong.name == "locked" else ())
    ids, capabilities = output(process).splitlines()
    user = int(ids[1:].split(",")[0])
    assert user >= orders.NOBODYS
    assert ids == f"{(user,) * 3} {(user,) * 3} []"
    effective = int(capabilities.split("CapEff:\\t")[1][:16], 16)
    assert effective == (4 if strong.name == "locked" else 0)  # to read what Landlock lets it


def test_a_program_is_run(start: Any, tier: Tier, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nread line\necho $line $$ $1\nread line < /etc/passwd && echo in\n")
    bot.chmod(0o755)
    process = start(tier, [str(bot), "c"])
    out = process.communicate(b"hello\n", timeout=10)[0].split()
    assert out[:1] + out[2:3] == [b"hello", b"c"]
    assert (out[-1] == b"in") == (tier.name == "process")
    with pytest.raises(FileNotFoundError):
        start(tier, [str(tmp_path / "none")])


def test_a_program_may_start_others_where_they_are_counted(start: Any, strong: Tier) -> None:
    process = start(strong, ["/bin/sh", "-c", "echo $(echo other)"], processes=8)
    out, err = process.communicate(timeout=10)
    assert (out == b"other\n") == (strong.name == "bwrap"), err
    process = start(strong, ["/bin/sh", "-c", "echo $(echo other)"])
    assert process.communicate(timeout=10)[0] != b"other\n"


def test_the_end_is_quick_and_nothing_is_left(start: Any, tier: Tier) -> None:
    ours, theirs = os.pipe()
    process = start(tier, DAEMON, (theirs,), processes=8)
    os.close(theirs)
    assert (process.stdout.readline() == b"daemon\n") == (tier.name != "locked")
    begun = time.monotonic()
    tier.end(process)
    seconds = time.monotonic() - begun
    assert process.returncode is not None
    assert seconds < 15  # some milliseconds, but the machine may be busy; they sleep for 30 s
    # A daemon that has left its parent and its session is only found where it is in a namespace.
    assert is_closed(ours, 0) or tier.name == "process"
    os.close(ours)
    tier.end(process)


@pytest.mark.slow
@pytest.mark.parametrize("name", needs.tiers(*TIERS))
def test_a_player_does_not_outlive_the_arena(name: str, tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    (tmp_path / "player.py").write_text("import time; print('here', flush=True); time.sleep(30)")
    arena = (
        "import subprocess, sys, time\n"
        "from pathlib import Path\n"
        "from arena.sandbox.choice import TIERS, Box, BoxLimits\n"
        f"script, keep = {str(tmp_path / 'player.py')!r}, ({theirs},)\n"
        "box = Box(BoxLimits(256, 1, 9, 99), (Path(script),), {}, True, keep)\n"
        f"command = TIERS[{name!r}].command([sys.executable, '-S', script], box)\n"
        "subprocess.Popen(command, pass_fds=keep, start_new_session=True, env={})\n"
        "time.sleep(30)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", arena], pass_fds=(theirs,), stdout=subprocess.PIPE
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        assert not is_closed(ours, 0)
        process.kill()
    assert is_closed(ours, 5)
    os.close(ours)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "made"),
    [
        pytest.param("bwrap", {"1": 0, "8": 7}, marks=pytest.mark.needs("bwrap")),
        pytest.param("locked", {"8": 0}, marks=pytest.mark.needs("locked")),
    ],
)
def test_an_ordinary_user_is_limited_too(as_user: Any, name: str, made: dict[str, int]) -> None:
    result = as_user(
        "import json, subprocess, sys, tempfile\n"
        "from pathlib import Path\n"
        "from arena.sandbox.choice import TIERS, Box, BoxLimits\n"
        f"forks, tier, made = {FORKS!r}, TIERS[{name!r}], {{}}\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    script = Path(folder, 'player.py')\n"
        "    script.write_text(forks)\n"
        f"    for n in {[*map(int, made)]}:\n"
        "        box = Box(BoxLimits(256, n, 9, 99), (script,), {}, True)\n"
        "        command = tier.command([sys.executable, str(script)], box)\n"
        "        made[n] = int(subprocess.check_output(command, env={}))\n"
        "box = Box(BoxLimits(256, 1, 9, 99), (), {'PATH': '/usr/bin:/bin'}, False)\n"
        "command = tier.command(['/bin/sh', '-c', 'echo 5'], box)\n"
        "made['sh'] = int(subprocess.check_output(command, env={}))\n"
        "print(json.dumps(made))\n"
    )
    assert json.loads(result) == made | {"sh": 5}
