"""Play on a Dask cluster whose network and memory fail: no game is lost, and no byte is another."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from tests.plugins.dask.players import SLOW, bytes_of

if TYPE_CHECKING:
    from distributed import LocalCluster

pytestmark = [
    pytest.mark.slow,
    pytest.mark.outside,
    pytest.mark.needs("distributed"),
    pytest.mark.filterwarnings("default"),  # Dask's own
    pytest.mark.timeout(400),
]

#: Seconds for which a worker cannot be reached.
PARTITION = 30

#: Ends as the kernel ends a process when memory is out, the first time.
KILLED_ONCE = """
import os, signal, time
from pathlib import Path

KILLED = Path({folder!r}) / "killed"

def choose(position, rng):
    if not KILLED.exists():
        KILLED.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return rng.choice(position.legal_moves())
"""
OPTIONS: Any = {"n": 200, "seed": 3, "isolation": arena.Isolation(tier="none")}


class Cable:
    """Connects a port of its own with another one; it can be cut, or pass nothing for a while."""

    def __init__(self, port: int) -> None:
        self.target = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._passes = threading.Event()
        self._passes.set()
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def _run(self, work: Callable[..., None], *ends: socket.socket) -> None:
        self._threads.append(threading.Thread(target=work, args=ends, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                self._ends.append(near)
                self._passes.wait()
                far = socket.create_connection(("127.0.0.1", self.target))
                self._ends.append(far)
                for ends in ((near, far), (far, near)):
                    self._run(self._pump, *ends)

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                self._passes.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hold(self) -> None:
        """Pass nothing, and close nothing."""
        self._passes.clear()

    def cut(self) -> None:
        """Close all connections, and accept none."""
        self.hold()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._passes.set()

    def close(self) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)  # wakes who waits for a connection
        self.cut()
        self.mend()
        for thread in self._threads:
            thread.join(10)
        for end in (self._server, *self._ends):
            end.close()


@contextmanager
def worker_behind(*cables: Cable) -> Iterator[None]:
    """Run a worker that is reached, and reaches its scheduler, by cables."""
    to_scheduler, to_worker = cables
    addresses = f"tcp://127.0.0.1:{to_worker.target}", f"tcp://127.0.0.1:{to_worker.port}"
    own = ["--listen-address", addresses[0], "--contact-address", addresses[1]]
    own += ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
    words = ["-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{to_scheduler.port}", *own]
    with subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL) as worker:
        try:
            yield
        finally:
            worker.kill()


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Yield a cluster of one worker with a limited memory, which is started again if it ends."""
    from distributed import LocalCluster

    own: Any = {"threads_per_worker": 1, "memory_limit": "1GB", "dashboard_address": ":0"}
    with warnings.catch_warnings(action="ignore"), LocalCluster(n_workers=1, **own) as made:
        yield made


def there(cluster: LocalCluster) -> str:
    cluster.wait_for_workers(1)
    return f"dask:{cluster.scheduler_address}"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "killed.py").write_text(KILLED_ONCE.format(folder=str(tmp_path)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def once(act: Callable[[], object], pairs: int = 5) -> tuple[Any, list[float]]:
    """Return what acts at the first progress with so many pairs, and when that was."""
    when: list[float] = []

    def on_progress(_: int, counts: Any, __: int) -> None:
        if not when and counts.pairs >= pairs:
            when.append(time.monotonic())
            act()

    return on_progress, when


@pytest.mark.parametrize("how", [pytest.param("hold", marks=pytest.mark.nightly), "cut"])
def test_a_worker_that_cannot_be_reached_for_a_while_costs_no_game(
    cluster: LocalCluster, bots: Path, how: str
) -> None:
    scheduler = int(cluster.scheduler_address.rpartition(":")[2])
    cables = Cable(scheduler), Cable(free_port())

    def part() -> None:
        for cable in cables:
            getattr(cable, how)()
            threading.Timer(PARTITION, cable.mend).start()

    on_progress, when = once(part, 40)
    with worker_behind(*cables):
        cluster.wait_for_workers(2)
        result = arena.fight(
            "./slow.py", "monkey", executor=there(cluster), on_progress=on_progress, **OPTIONS
        )
        for cable in cables:
            cable.close()
    assert when
    assert bytes_of(result) == bytes_of(arena.fight("./slow.py", "monkey", workers=2, **OPTIONS))


def test_a_worker_without_memory_costs_no_game(cluster: LocalCluster, bots: Path) -> None:
    from distributed import Client

    async def hog(dask_worker: Any) -> None:
        dask_worker.hog = b"x" * (1 << 30)

    with Client(cluster, set_as_default=False) as client:
        before = set(client.scheduler_info()["workers"])
        on_progress, when = once(lambda: client.run(hog, wait=False))
        result = arena.fight(
            "./slow.py", "monkey", executor=there(cluster), on_progress=on_progress, **OPTIONS
        )
        assert when
        assert before.isdisjoint(client.scheduler_info()["workers"]), "Dask has ended it"
    assert bytes_of(result) == bytes_of(arena.fight("./slow.py", "monkey", workers=2, **OPTIONS))


def test_a_player_that_the_kernel_ends_once_costs_no_game(
    cluster: LocalCluster, bots: Path
) -> None:
    result = arena.fight("./killed.py", "monkey", executor=there(cluster), **OPTIONS)
    assert (bots / "killed").exists()
    assert result.void == 0
    assert bytes_of(result) == bytes_of(arena.fight("./killed.py", "monkey", workers=2, **OPTIONS))
