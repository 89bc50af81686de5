"""A scheduler that is not there, does not answer, dies or is the command's own."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError, WorkerError
from tests import needs
from tests.golden import Wording
from tests.plugins.dask.players import bytes_of

pytestmark = [
    pytest.mark.outside,
    pytest.mark.needs("distributed"),
    pytest.mark.filterwarnings("default"),  # Dask's own
    pytest.mark.timeout(240),
]


def games_in(store: Path) -> int:
    with suppress(sqlite3.Error), sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return int(connection.execute("select count(*) from games").fetchone()[0])
    return 0


def test_ctrl_c_on_a_cluster_of_its_own_ends_all_and_says_how_to_go_on(bots: Path) -> None:
    words = ["fight", "./slow.py", "monkey", "-n", "100000", "--engine", "calls", "--seed", "1"]
    own = ["--executor", "dask", "-j", "1", "--isolation", "none", "--store", "f.db"]
    command = subprocess.Popen(
        [sys.executable, "-m", "arena", *words, *own],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not games_in(bots / "f.db"):
        assert command.poll() is None
        time.sleep(0.5)
    os.killpg(command.pid, signal.SIGINT)
    out, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "slow.py" in out
    assert " http://127.0.0.1:" in err
    assert ": arena resume f.db" in err
    assert "Traceback" not in err
    assert "leaked" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(command.pid, 0)


@pytest.mark.parametrize(
    "address",
    ["", "localhost:8786", "gopher://x:1", "tcp://localhost", "nowhere.json", "empty.json"],
)
def test_a_wrong_address_is_one_line(bots: Path, address: str, wording: Wording) -> None:
    (bots / "empty.json").write_text("{}")
    with wording.raises(UsageError) as refused:
        arena.fight("monkey", "triples", 1, executor=f"dask:{address}")
    assert "\n" not in str(refused.value)


def test_a_program_that_is_not_a_scheduler_is_told_apart(wording: Wording) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with server.accept()[0] as web:
                web.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                web.recv(1 << 16)

        threading.Thread(target=answer, daemon=True).start()
        with wording.raises(UsageError):
            arena.fight(
                "monkey", "triples", 1, executor=f"dask:tcp://127.0.0.1:{server.getsockname()[1]}"
            )


@pytest.mark.parametrize("listens", [False, True])
def test_a_scheduler_that_does_not_answer_is_named_soon(bots: Path, listens: bool) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()
        own = ["--executor", f"dask:tcp://127.0.0.1:{silent.getsockname()[1]}"]
        begin = time.monotonic()
        ran = subprocess.run(
            [sys.executable, "-m", "arena", "fight", "monkey", "triples", "-n", "1", *own],
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
        )
        seconds = time.monotonic() - begin
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (4, "", 1)
    assert "'tcp://127.0.0.1:" in ran.stderr
    assert seconds < 40, "ten seconds, and the start of Python and of Dask on a busy machine"


def test_a_scheduler_that_dies_leaves_a_store_to_resume_from(
    bots: Path, caplog: pytest.LogCaptureFixture
) -> None:
    python = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--port", "0", "--host", "127.0.0.1", "--scheduler-file", "s.json", "--no-dashboard"]
    scheduler = subprocess.Popen([*python, *options], stderr=subprocess.DEVNULL)
    while not (bots / "s.json").is_file():
        assert scheduler.poll() is None
        time.sleep(0.1)
    address = json.loads((bots / "s.json").read_text())["address"]
    words = ["-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    worker = subprocess.Popen([sys.executable, *words, "--no-dashboard"], stderr=subprocess.DEVNULL)
    here: Any = {"n": 100, "seed": 3, "isolation": arena.Isolation(tier="none")}

    def kill(_: int, counts: Any, __: int) -> None:
        if counts.pairs >= 5:
            scheduler.kill()

    try:
        with pytest.raises(WorkerError, match=r": arena resume f\.db"):
            arena.fight(
                "./slow.py",
                "monkey",
                executor="dask:s.json",
                store="f.db",
                on_progress=kill,
                **here,
            )
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    assert "dashboard" not in caplog.text, "this scheduler has none"
    resumed = arena.resume("f.db")
    assert bytes_of(resumed) == bytes_of(arena.fight("./slow.py", "monkey", **here))


def test_without_the_library_the_install_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.dask import cluster as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'proving-arena\[dask\]'"):
        arena.fight("monkey", "triples", 1, executor="dask")


def test_the_skip_names_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.needs.find_spec", lambda name: None)
    assert needs.lack("distributed").endswith(" distributed: pip install 'proving-arena[dask]'")
