"""Arenas in processes of their own, started in milliseconds, to be killed at any moment."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.postgres import PASSWORD, running_server
from benchmarks.postgres import Server as Postgres
from tests.conftest import Ran

#: Forks an ``arena ARGUMENTS`` in a session of its own whenever it is asked to.
SERVER = """
import ctypes, json, os, signal, sys
import arena, arena.main, arena.store.journal, arena.features.verify.checking

for style in ("table", "json"):  # so that whatever is imported when needed has been
    command = ["tournament", "monkey", "triples", "-n", "2", "--executor", "serial"]
    arena.main.main([*command, "--format", style, "--output", os.devnull])
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(36, 1)  # orphans become children of this process, which waits for them
for line in sys.stdin:
    order = json.loads(line)
    if "wait" in order:
        status = os.waitpid(order["wait"], 0)[1]
        try:
            while True:
                os.waitpid(-order["wait"], 0)
        except ChildProcessError:
            pass
        print(os.waitstatus_to_exitcode(status), flush=True)
        continue
    ready, begun = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream in (1, 2):
            os.dup2(os.open(order["files"][stream - 1], os.O_WRONLY | os.O_CREAT), stream)
        os.chdir(order["folder"])
        os.write(begun, b".")
        code = arena.main.main(order["argv"])
        sys.stdout.flush()
        os._exit(code)
    os.read(ready, 1)
    os.close(ready)
    os.close(begun)
    print(pid, flush=True)
"""

#: A player that takes a while, and that writes a line to a file for every game it begins.
#: Where there is a file ``allowed``, it plays so many games and waits for that number to grow.
BOT = """
import time
from pathlib import Path

GAMES = str(Path(__file__).with_name("games"))
ALLOWED = Path(__file__).with_name("allowed")


def _allowed():
    try:
        return int(ALLOWED.read_text() or 0)
    except FileNotFoundError:
        return float("inf")


class Slow:
    def start(self, game, side, rng):
        self.rng = rng
        with open(GAMES, "a") as file:
            file.write("another\\n")
            begun = file.tell() / len("another\\n")
        while begun > _allowed():
            time.sleep(0.001)

    def choose(self, position):
        time.sleep(0.001)
        return self.rng.choice(position.legal_moves())

    def observe(self, move):
        pass

    def finish(self, outcome):
        pass
"""


#: Whether a database is a store.
TABLES = "SELECT count(*) FROM sqlite_master WHERE name = 'runs'"


class Server:
    """Forks arenas."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **order: Any) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


class Forker:
    """Starts arenas in a folder and knows those that run."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.processes: list[Process] = []

    def start(self, *argv: str) -> Process:
        number = len(self.processes)
        files = self.folder / f"out{number}", self.folder / f"err{number}"
        pid = self.server.ask(argv=argv, folder=str(self.folder), files=list(map(str, files)))
        process = Process(self.server, pid, files)
        self.processes.append(process)
        return process

    def __call__(self, *argv: str) -> Ran:
        """Run a command to its end."""
        return self.start(*argv).wait()

    def close(self) -> None:
        for process in self.processes:
            if process.ran is None:
                process.signal(signal.SIGKILL, group=True)
                process.wait()


class Process:
    """An arena that runs."""

    def __init__(self, server: Server, pid: int, files: tuple[Path, Path]) -> None:
        self.server, self.pid, self.files = server, pid, files
        self.ran: Ran | None = None

    def signal(self, signum: int, group: bool = False) -> None:
        """Signal the arena, or it and all its workers; in vain if it has ended."""
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(self.pid, signum)

    def wait(self) -> Ran:
        """Wait for it, and for all its workers to be gone too."""
        if self.ran is None:
            code = self.server.ask(wait=self.pid)
            self.ran = Ran(code, *(file.read_text() for file in self.files))
            eventually(lambda: not has_members(self.pid))
        return self.ran


def has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(condition: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


#: The games of a store by run, fight, pair and half, each by the names of its columns.
Rows = dict[tuple[int, ...], dict[str, object]]


class Folder:
    """A folder with a slow player ``bot.py`` and a store ``S``, and arenas that work in it."""

    def __init__(self, server: Server, path: Path) -> None:
        self.path = path
        self.arena = Forker(server, path)
        #: The games of a pair, or of a block of more players.
        self.games_a_pair = 2
        #: Whether there was a run in the store when ``rows`` looked at it.
        self.has_run = False
        (path / "bot.py").write_text(BOT)

    @property
    def games_begun(self) -> int:
        """How often the slow player has begun a game."""
        log = self.path / "games"
        return log.read_text().count("\n") if log.exists() else 0

    def begin(self, *argv: str) -> Process:
        """Start an arena, and wait until it plays or has something to say."""
        before = self.games_begun
        process = self.arena.start(*argv)
        eventually(
            lambda: self.games_begun > before or any(file.stat().st_size for file in process.files)
        )
        return process

    def wait_for_more_games_than(self, number: int) -> None:
        """Wait while an arena writes to the store until that has more games."""
        with closing(sqlite3.connect(self.path / "S")) as store:
            count = "SELECT count(*) FROM games"
            eventually(lambda: store.execute(count).fetchone()[0] > number)

    def rows(self, store: str = "S") -> Rows:
        """Every game in the store as it is on the disk, by its key; looked at in a copy."""
        look = self.path / "look"
        for suffix in ("", "-wal"):
            Path(f"{look}{suffix}").unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copy(self.path / (store + suffix), f"{look}{suffix}")
        if not look.exists():
            return {}
        with closing(sqlite3.connect(look)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            self.has_run = bool(database.execute(TABLES).fetchone()[0]) and bool(
                database.execute("SELECT count(*) FROM runs").fetchone()[0]
            )
            database.row_factory = sqlite3.Row
            games = database.execute("SELECT * FROM games").fetchall() if self.has_run else []
        Path(f"{look}-shm").unlink(missing_ok=True)
        rows = {tuple(game)[:4]: dict(game) for game in games}
        whole = range(1, self.games_a_pair + 1)
        torn = {key for key in rows if any((*key[:3], half) not in rows for half in whole)}
        assert torn == set(), "a game without the other games of its pair"
        return rows


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def folder(server: Server, tmp_path: Path) -> Iterator[Folder]:
    made = Folder(server, tmp_path)
    yield made
    made.arena.close()


@pytest.fixture(scope="module")
def elsewhere(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    """Yield a folder for what several tests want to compare with."""
    made = Folder(server, tmp_path_factory.mktemp("elsewhere"))
    yield made
    made.arena.close()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_server() as running:
        yield running


@pytest.fixture(
    params=["file", pytest.param("server", marks=pytest.mark.needs("postgres", "psycopg"))]
)
def backend(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a store that is not there yet."""
    monkeypatch.chdir(tmp_path)
    if request.param == "file":
        return "S"
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    return str(request.getfixturevalue("postgres").create())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a store that is not there yet."""
    return tmp_path / "S"
