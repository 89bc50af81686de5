"""The rogues' gallery: every way to misbehave costs its player the game, and nobody else anything.

By default the rogues whose verdict is the same everywhere play in the strongest tier only; with
``ARENA_ROGUES=all`` all play in all.
"""

from __future__ import annotations

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
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

import arena
from arena.errors import Spoilt
from arena.game import Side
from arena.match import GameRecord, play_game
from arena.player import PlayerInfo
from arena.plugin import Catalogue
from arena.rng import Stream
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Isolation, Spec
from arena.sandbox.tiers import TIERS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is seen in /proc")

T = TypeVar("T")

ALL = os.environ.get("ARENA_ROGUES") == "all"
GALLERY = Path(__file__).with_name("rogues") / "players.py"
OPTIONS = {"move_time": 0.25, "game_time": 2, "import_time": 10, "memory": 256}

#: What a verdict may take longer than its limit on a busy machine; a quiet one has some ms.
SLACK = 1.0

OK = "ok"
EVERYWHERE = {
    "none": "illegal",
    "too_great": "illegal",
    "negative": "illegal",
    "taken": "illegal",
    "text": "illegal",
    "a_float": "illegal",
    "nan": "illegal",
    "a_bool": "illegal",
    "numpy_like": OK,
    "subclass": "illegal crash",
    "lookalike": "illegal",
    "index_hangs": "timeout",
    "index_exits": "illegal",
    "huge_int": "illegal",
    "huge_list": "illegal",
    "coroutine": "illegal",
    "generator": "illegal",
    "mutates": "illegal",
    "raises": "exception",
    "exits": "exception",
    "interrupts": "exception",
    "base": "exception",
    "generator_exit": "exception",
    "unprintable": "exception",
    "message_hangs": "timeout",
    "message_is_long": "exception timeout",
    "name_is_long": "exception protocol",
    "recursion": "exception",
    "hangs": "timeout",
    "hangs_in_c": "timeout",
    "sleeps": "timeout",
    "blocks_signals": "timeout",
    "excepts": "timeout",
    "exits_0": "crash",
    "exits_1": "crash",
    "segfaults": "crash",
    "aborts": "crash",
    "closes_all": "crash",
    "slow": "budget",
    "many_threads": "timeout",
    "deep_memory": "timeout exception crash",
    "nested": "timeout crash exception",
    "gulp": "exception",
    "leaks_descriptors": "exception",
    "threads": OK,
    "prints_much": "ok timeout",
    "prints_forever": "timeout",
    "junk": "protocol",
    "endless": "protocol",
    "half": "timeout",
    "drips": "timeout",
    "forges": "protocol",
    "closes_output": OK,
    "closes_output_and_raises": "exception crash",
    "tampers": "ok illegal exception",
    "leaves_threads": OK,
    "hangs_at_exit": OK,
    "raises_limits": "exception",
    "looks_for_the_opponent": "exception",
    "reads_environment": "exception",
}
#: What the weakest tier lets through is in the first column.
BY_TIER = {
    "kills_itself": ("crash", "crash exception", "crash"),
    "stops": ("timeout", "timeout exception", "timeout"),
    "zombies": (OK, OK, OK),
    "reads_passwords": (OK, "exception", "exception"),
    "reads_parents_memory": ("ok exception", "exception", "exception"),
    "signals_parent": (OK, "exception", "exception ok"),  # in a namespace of its own
    "overwrites_itself": ("", "exception", "exception"),
    "reads_neighbour": (OK, "exception", "exception"),
    "runs_a_shell": ("crash", "exception", "exception crash"),
    "connects": ("", "exception", "exception"),
    "sends": ("", "exception", "exception ok"),
    "escapes": ("", "exception", "exception"),
    "forks": (OK, OK, OK),
    "shared_memory": ("", OK, OK),
    "daemonises": ("", "exception", "exception"),
}
CASES = [
    (name, tier, verdict)
    for name, verdict in EVERYWHERE.items()
    for tier in TIERS
    if ALL or tier == "bwrap"
] + [
    (name, tier, verdict)
    for name, verdicts in BY_TIER.items()
    for tier, verdict in zip(TIERS, verdicts, strict=True)
    if verdict
]


def last(position: Any, rng: random.Random) -> int:
    """The honest opponent, who plays here."""
    legal: tuple[int, ...] = position.legal_moves()
    return legal[-1]


HONEST = PlayerInfo("honest", last)


def play(catalogue: Catalogue, first: PlayerInfo, second: PlayerInfo = HONEST) -> GameRecord:
    return play_game(catalogue.game("tictactoe"), (first, second), "x", (Stream(), Stream()))


def python_player(file: Path, function: str, tier: str, **options: Any) -> PlayerInfo:
    """As ``file_player``, without asking what it is."""
    isolation = Isolation(tier=tier, **{**OPTIONS, **options})
    remote = Remote(Spec(function, file=f"{file}:{function}"), isolation)
    return PlayerInfo(function, remote, stateless=False, remote=remote)


def close(player: PlayerInfo) -> None:
    assert isinstance(player.remote, Remote)
    player.remote.close()


def processes_of(folder: Path) -> list[str]:
    """The command lines, of whatever user, that name a folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line and file.parent.name != str(os.getpid()):
            found.append(line[-200:])
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 3.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


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
        len(os.listdir("/proc/self/fd")),
        sorted(set(os.listdir("/tmp")) & {"arena-rogue"}),
        os.path.exists("/dev/shm/arena-rogue"),
    )


@pytest.fixture
def unharmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of a rogue is left, and nothing here is other than before."""
    monkeypatch.setenv("ARENA_SECRET", "hunter2")
    before, modules = state_of_this_process(), {k: id(v) for k, v in sys.modules.items()}
    files = sorted(tmp_path.iterdir())
    yield
    assert wait_until(lambda: not processes_of(tmp_path)), processes_of(tmp_path)
    assert state_of_this_process() == before
    assert {k: id(sys.modules[k]) for k in modules} == modules
    assert sorted(f for f in tmp_path.iterdir() if f.name != "lines") == files


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Path]:
    """A copy of the rogues, beside what is the opponent's, and a port that hears nothing."""
    file = tmp_path / "players.py"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        text = f"{GALLERY.read_text()}\n# port {port}\n"
        file.write_text(text)
        (tmp_path / "opponent.txt").write_text("secret")
        yield file
        assert file.read_text() == text
        for listener in (tcp, udp):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.recv(1) if listener is udp else listener.accept()


def judge(record: GameRecord, verdict: str, took: float) -> None:
    found = record.forfeit.reason if record.forfeit else OK
    if log := os.environ.get("ARENA_ROGUES_LOG"):
        name = os.environ["PYTEST_CURRENT_TEST"].partition("[")[2].split("]")[0]
        with open(log, "a") as file:
            file.write(f"{name}\t{found}\t{took:.3f}\t{record.forfeit}\n")
    assert found in verdict.split(), record
    if record.forfeit is None:
        assert record.moves == (0, 8, 1, 7, 2)
        return
    assert record.outcome.value == "second"
    assert record.forfeit.side is Side.FIRST
    assert record.forfeit.message.isprintable()
    assert len(record.forfeit.message) < 1500


@pytest.mark.parametrize(("name", "tier", "verdict"), CASES, ids=lambda x: x.replace(" ", "_"))
def test_a_rogue_harms_itself_alone(
    name: str, tier: str, verdict: str, catalogue: Catalogue, gallery: Path, unharmed: None
) -> None:
    player = python_player(gallery, name, tier, game_time=0.5)
    record, took = on_a_machine_that_is_free(lambda: timed(catalogue, player))
    close(player)
    judge(record, verdict, took)
    assert took < 0.5 + SLACK


def timed(catalogue: Catalogue, player: PlayerInfo) -> tuple[GameRecord, float]:
    assert isinstance(player.remote, Remote)
    player.remote.give_back(player.remote.take())  # how long a start takes is not judged
    begun = time.monotonic()
    return play(catalogue, player), time.monotonic() - begun


def on_a_machine_that_is_free(work: Callable[[], T]) -> T:
    for _ in range(5):
        try:
            return work()
        except Spoilt:
            time.sleep(0.1)
    pytest.skip("this machine is too busy")


#: The verdicts of these are what they are for root; an ordinary user has fewer ways to be stopped.
AS_USER = {
    "numpy_like": OK,
    "none": "illegal",
    "raises": "exception",
    "sleeps": "timeout",
    "aborts": "crash",
    "junk": "protocol",
    "forks": OK,
    "daemonises": "exception",
    "reads_passwords": "exception",
    "reads_neighbour": "exception",
    "overwrites_itself": "exception",
    "signals_parent": "exception ok",
    "connects": "exception",
    "shared_memory": OK,
}
SCRIPT = """
import json, os, sys
from arena.match import play_game
from arena.player import PlayerInfo
from arena.plugin import load_catalogue
from arena.rng import Stream
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Isolation, Spec

honest = PlayerInfo("honest", lambda position, rng: position.legal_moves()[-1])
game, found = load_catalogue().game("tictactoe"), {}
before = len(os.listdir("/proc/self/fd"))
for tier in ("locked", "bwrap"):
    for name in sys.argv[2:]:
        isolation = Isolation(tier=tier, move_time=1, game_time=2, memory=256)
        remote = Remote(Spec(name, file=f"{sys.argv[1]}:{name}"), isolation)
        player = PlayerInfo(name, remote, stateless=False, remote=remote)
        record = play_game(game, (player, honest), "x", (Stream(), Stream()))
        remote.close()
        found[f"{name} {tier}"] = record.forfeit.reason if record.forfeit else "ok"
assert len(os.listdir("/proc/self/fd")) == before
assert os.geteuid() != 0
print(json.dumps(found))
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may read, with a Python that has arena."""
    python = "/usr/bin/python3"
    enough = "import sys, venv; sys.exit(sys.version_info < (3, 11))"
    if os.geteuid() != 0 or shutil.which("setpriv") is None or not os.path.exists(python):
        pytest.skip("needs to be root, setpriv, and a Python that everybody may use")
    if subprocess.run([python, "-c", enough], check=False).returncode:
        pytest.skip(f"{python} is older than 3.11")
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


def test_rogues_of_an_ordinary_user(public: Path) -> None:
    rogues = public / "players.py"
    rogues.write_text(f"{GALLERY.read_text()}\n# port 9\n")
    (public / "opponent.txt").write_text("secret")
    (public / "script.py").write_text(SCRIPT)
    user = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
    command = ["setpriv", *user, str(public / "venv/bin/python"), "-B", str(public / "script.py")]
    ran = subprocess.run(
        [*command, str(rogues), *AS_USER],
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "ARENA_SECRET": "hunter2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    wrong = {key: v for key, v in found.items() if v not in AS_USER[key.split()[0]].split()}
    assert wrong == {}
    assert len(found) == 2 * len(AS_USER)
    assert wait_until(lambda: not processes_of(public)), processes_of(public)
