"""Volunteers on this machine against worker processes: what HTTP and distrust cost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import arena
from arena.errors import KeptForLater
from benchmarks.serving import PATIENCE, serving
from benchmarks.table import Row, cost, skipped

#: The players, at connect four: games of some milliseconds.
GAME, PLAYERS = "connect4", ("mcts:simulations=200", "mcts:simulations=400", "minimax:depth=4")

#: The volunteers, with a process each, and as many worker processes.
VOLUNTEERS = 2


def rows(quick: bool) -> list[Row]:
    """Measure a tournament from its first games to its last one."""
    if find_spec("uvicorn") is None:
        return [skipped("volunteers", "needs uvicorn: pip install 'proving-arena[web]'")]
    pairs = 2 if quick else 900
    with tempfile.TemporaryDirectory() as folder:
        times = {
            share: _volunteers(Path(folder), f"v{share}.db", pairs, share) for share in (0.0, 0.1)
        }
        processes = _processes(Path(folder), pairs)
    return [
        cost(
            f"{3 * 2 * pairs} games by {VOLUNTEERS} volunteers, {share:.0%} of them played again:"
            f" time against {VOLUNTEERS} processes",
            seconds,
            processes,
        )
        for share, seconds in times.items()
    ]


def _begin(store: Path, pairs: int) -> None:
    with suppress(KeptForLater):
        arena.tournament(PLAYERS, n=pairs, game=GAME, seed=5, store=store, executor="later")


def _volunteers(folder: Path, store: str, pairs: int, share: float) -> float:
    _begin(folder / store, pairs)
    tokens = folder / "tokens.txt"
    tokens.write_text("".join(f"v{number}\n" for number in range(VOLUNTEERS)))
    with serving(store, "--workers", tokens, "--audit", str(share), cwd=folder) as served:
        words = ("work", served.url, "-j", "1")
        lines = [line.split()[1] for line in tokens.read_text().splitlines()]
        with _commands([({"ARENA_TOKEN": token}, words) for token in lines]):
            seconds = _seconds(folder / store)
        served.process.send_signal(signal.SIGINT)
        served.process.wait(PATIENCE)
    return seconds


def _processes(folder: Path, pairs: int) -> float:
    store = folder / "alone.db"
    _begin(store, pairs)
    words = ("resume", str(store), "-j", str(VOLUNTEERS), "--output", os.devnull)
    with _commands([({}, words)]):
        return _seconds(store)


@contextmanager
def _commands(commands: list[tuple[dict[str, str], tuple[str, ...]]]) -> Iterator[None]:
    """Run commands of arena meanwhile, each with these variables."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "arena", *words],
            env={**os.environ, **env},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for env, words in commands
    ]
    try:
        yield
    finally:
        for process in started:
            process.send_signal(signal.SIGINT)
        for process in started:
            process.wait(PATIENCE)


def _seconds(store: Path) -> float:
    """Return the seconds from the first games in a store to the end of its run."""
    begun, end = 0.0, time.monotonic() + 10 * PATIENCE
    while time.monotonic() < end:
        with closing(sqlite3.connect(store)) as connection:
            [[games]] = connection.execute("SELECT count(*) FROM games").fetchall()
            [[finished]] = connection.execute("SELECT finished FROM runs").fetchall()
        if games and not begun:
            begun = time.monotonic()
        if finished is not None:
            return time.monotonic() - begun
        time.sleep(0.1)
    raise TimeoutError("the run did not end")
