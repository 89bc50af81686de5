"""Measure what it costs a run that browsers watch it: one, and as many as a server lets in."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import arena
from arena.clock import computed
from benchmarks.needs import lack
from benchmarks.serving import Served, serving
from benchmarks.table import Bar, Row, Sign, cost, skipped

SEED = 1
BAR = Bar(Sign.AT_MOST, 1.03)

#: Browsers that watch at once; a server lets no more than 50 in.
BROWSERS = (1, 50)

#: So many browsers that read the events of a run once there is one, and print a line for each.
READERS = r"""
import sys, threading, time, urllib.error, urllib.request
def read():
    while True:
        try:
            stream = urllib.request.urlopen(sys.argv[1])
            break
        except urllib.error.HTTPError:
            time.sleep(0.5)
    for line in stream:
        if line.startswith(b"data: "):
            sys.stdout.write("event\n")
            sys.stdout.flush()
for _ in range(int(sys.argv[2])):
    threading.Thread(target=read).start()
"""


@dataclass(frozen=True)
class _Run:
    """A run that was played while a number of browsers watched it."""

    #: Seconds of a processor that the run took, and its server meanwhile.
    own: float
    server: float
    #: Share of a processor that the server takes; events to each browser, and games, per second.
    share: float
    events: float
    games: float


def rows(quick: bool) -> list[Row]:
    """Measure the processor time of a run that is watched, and that of the server."""
    pairs, rounds = (200, 1) if quick else (20_000, 5)
    work = f"monkey against monkey, {2 * pairs} games in a store"
    if why := lack("starlette") or lack("uvicorn") or ("" if os.name == "posix" else "needs Linux"):
        return [skipped(f"{work}, watched", why, BAR)]
    runs: dict[int, list[_Run]] = {browsers: [] for browsers in (*BROWSERS, 0)}
    with tempfile.TemporaryDirectory() as folder:
        store, number = Path(folder) / "arena.db", 1
        _fight(pairs, store)
        with serving(store) as served:
            for _ in range(rounds):
                for browsers, found in runs.items():
                    number += 1
                    found.append(_played(pairs, store, served, number, browsers))
    least = {browsers: min(found, key=lambda run: run.own) for browsers, found in runs.items()}
    return [row for browsers in BROWSERS for row in _rows(work, browsers, least)]


def _rows(work: str, browsers: int, least: dict[int, _Run]) -> Iterator[Row]:
    found = least[browsers]
    work += f", watched by {browsers} browser{'s' * (browsers > 1)}"
    yield cost(f"{work}: processor time against unwatched", found.own, least[0].own, BAR)
    yield cost(f"{work}: that of the server against that of the run", found.server, found.own)
    yield Row(f"{work}: processor share of the server", f"{100 * found.share:.1f} %")
    shown = f"{found.events:.1f} events per second, of {found.games:,.0f} games per second"
    yield Row(f"{work}: events to each", shown)


def _played(pairs: int, store: Path, served: Served, number: int, browsers: int) -> _Run:
    """Play the run of that number, which so many browsers watch."""
    url = f"{served.url}/runs/{number}/events"
    command = [sys.executable, "-c", READERS, url, str(browsers)]
    reading = subprocess.Popen(command, stdout=subprocess.PIPE)
    began, own, server = perf_counter(), process_time(), computed(served.process.pid)
    _fight(pairs, store)
    took, own = perf_counter() - began, process_time() - own
    server = computed(served.process.pid) - server
    reading.kill()
    events = len(reading.communicate()[0].splitlines())
    events_to_each = events / max(1, browsers)
    return _Run(own, server, server / took, events_to_each / took, 2 * pairs / took)


def _fight(pairs: int, store: Path) -> None:
    """Play a run of its own in the store."""
    arena.fight("monkey", "monkey", n=pairs, seed=SEED, engine="calls", store=store, again=True)
