"""The rogues' gallery: every way to misbehave costs its player the game, and nobody else anything.

By default it plays in the strong tiers, as the user who runs the tests and as an ordinary one; with
``ARENA_ROGUES=all`` in all.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import VoidGame
from arena.game import Side
from arena.plugin.catalogue import Catalogue
from arena.sandbox.choice import TIERS
from arena.sandbox.remote import Remote
from tests import needs
from tests.processes import wait_until
from tests.sandbox.rogues import gallery as referee
from tests.sandbox.rogues.gallery import EVERYWHERE, SLACK, judge, python_player, verdicts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is seen in /proc")

ALL = os.environ.get("ARENA_ROGUES") == "all"
#: The fast suite has the tier that a stranger's file gets on a bare Linux.
FAST = "locked"
#: Some that calculate until their time is up, as `hangs` does.
BUSY = {
    "blocks_signals",
    "deep_memory",
    "half",
    "handles_signals",
    "hangs_in_c",
    "index_hangs",
    "many_threads",
    "message_hangs",
    "nested",
}
CASES = [
    pytest.param(
        name,
        tier,
        verdict,
        marks=[pytest.mark.needs(tier)] + [pytest.mark.slow] * (tier != FAST or name in BUSY),
    )
    for tier in TIERS
    for name, verdict in verdicts(tier).items()
    if ALL or tier != "process" or name not in EVERYWHERE
]


def processes_of(folder: Path) -> list[str]:
    """Return the command lines, of whatever user, that name a folder."""
    results = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line and file.parent.name != str(os.getpid()):
            results.append(line[-200:])
    return results


def state_of_this_process() -> Any:
    return (
        random.getstate(),
        os.getcwd(),
        {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"},
        [signal.getsignal(number) for number in signal.valid_signals() - {signal.SIGALRM}],
        signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        sys.getrecursionlimit(),
        sys.stdout,
        sys.stderr,
        referee.descriptors(),
        sorted(set(os.listdir("/tmp")) & {"arena-rogue"}),
        os.path.exists("/dev/shm/arena-rogue"),
    )


@pytest.fixture
def unharmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of a rogue is left, and nothing here is other than before."""
    monkeypatch.setenv("ARENA_SECRET", "hunter2")
    memory = referee.memory()
    gc.collect()  # what other tests left open is not a rogue's doing
    before, modules = state_of_this_process(), {k: id(v) for k, v in sys.modules.items()}
    files = sorted(tmp_path.iterdir())
    yield
    assert wait_until(lambda: not processes_of(tmp_path)), processes_of(tmp_path)
    assert state_of_this_process() == before
    assert referee.memory() - memory < 16  # MiB; what a rogue takes is some times that
    assert {k: id(sys.modules[k]) for k in modules} == modules
    assert sorted(f for f in tmp_path.iterdir() if f.name != "lines") == files


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Path]:
    """Yield a copy of the rogues, beside what is the opponent's, and a port that hears nothing."""
    file = tmp_path / "players.py"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        text = referee.write_players(file, port)
        (tmp_path / "opponent.txt").write_text("secret")
        yield file
        assert file.read_text() == text
        for listener in (tcp, udp):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.recv(1) if listener is udp else listener.accept()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tier", "verdict"), CASES, ids=lambda x: x.replace(" ", "_"))
def test_a_rogue_harms_itself_alone(
    name: str, tier: str, verdict: str, catalogue: Catalogue, gallery: Path, unharmed: None
) -> None:
    player = python_player(gallery, name, tier)
    assert isinstance(player.remote, Remote)
    try:
        judged = judge(catalogue, player)
    except VoidGame:
        pytest.skip("this machine is too busy")
    finally:
        player.remote.close()
    record = judged.record
    if log := os.environ.get("ARENA_ROGUES_LOG"):
        with open(log, "a") as file:
            file.write(f"{name}\t{tier}\t{judged.reason}\t{judged.late:.3f}\t{record.forfeit}\n")
    assert judged.reason in verdict.split(), record
    assert judged.late <= 2 * SLACK  # other tests run beside this one
    if record.forfeit is None:
        assert record.moves == (0, 8, 1, 7, 2)
        return
    assert record.outcome.value == "second"
    assert record.forfeit.side is Side.FIRST
    assert record.forfeit.message.isprintable()
    assert len(record.forfeit.message) < 1500


@pytest.fixture(scope="module")
def public() -> Iterator[Path]:
    """Yield a folder that everybody may read, with a Python that has arena."""
    if os.geteuid() != 0:
        pytest.skip("the tests are run by an ordinary user already")
    needs.require("setpriv")
    python = needs.python_of_all()
    folder = Path(tempfile.mkdtemp())
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    packages = next((folder / "venv/lib").glob("python*/site-packages"))
    root = Path(arena.__file__).parent
    shutil.copytree(root, packages / "arena", ignore=shutil.ignore_patterns("__pycache__"))
    pluggy = importlib.metadata.distribution("pluggy").locate_file("pluggy")
    shutil.copytree(str(pluggy), packages / "pluggy")
    information = packages / "arena-0.dist-info"
    information.mkdir()
    entries = [e for e in importlib.metadata.entry_points(group="arena") if is_own(e)]
    lines = "".join(f"{e.name} = {e.value}\n" for e in entries)
    (information / "entry_points.txt").write_text(f"[arena]\n{lines}")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: arena\nVersion: 0\n")
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    yield folder
    shutil.rmtree(folder)


def is_own(entry: importlib.metadata.EntryPoint) -> bool:
    return entry.module.startswith("arena.")


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers(*(TIERS if ALL else [*TIERS][1:])))
def test_the_rogues_of_an_ordinary_user(tier: str, public: Path) -> None:
    folder = Path(tempfile.mkdtemp(dir=public))
    rogues = folder / "players.py"
    referee.write_players(rogues)
    (folder / "opponent.txt").write_text("secret")
    shutil.copy(referee.__file__, folder)
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    user = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
    python = [str(public / "venv/bin/python"), "-B", str(folder / "gallery.py")]
    ran = subprocess.run(
        ["setpriv", *user, *python, str(rogues), tier],
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "ARENA_SECRET": "hunter2"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "arena.errors.VoidGame" in ran.stderr:
        pytest.skip("this machine is too busy")
    assert ran.returncode == 0, ran.stderr
    record = json.loads(ran.stdout)
    expected = verdicts(tier)
    assert [one["name"] for one in record] == list(expected)
    assert [one for one in record if one["reason"] not in expected[one["name"]].split()] == []
    # Other programs may run beside this one.
    assert [one for one in record if one["late"] > 2 * SLACK or one["left"]] == []
    memory = [one["memory"] for one in record]
    assert max(memory) - memory[0] < 16
    assert wait_until(lambda: not processes_of(folder)), processes_of(folder)
    assert sorted(file.name for file in folder.iterdir()) == [
        *("gallery.py", "opponent.txt", "players.py")
    ]
