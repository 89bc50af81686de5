"""Measure what it costs a run that a browser watches it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import arena
from arena.clock import computed
from benchmarks.table import Bar, Row, Sign, cost, skipped
from tests.needs import lack
from tests.serving import Served, serving

SEED = 1
BAR = Bar(Sign.AT_MOST, 1.03)

#: A browser that reads the events of the run of that number as soon as there is one, and prints
#: the events.
BROWSER = """
import sys, time, urllib.error, urllib.request
while True:
    try:
        stream = urllib.request.urlopen(sys.argv[1])
        break
    except urllib.error.HTTPError:
        time.sleep(0.5)
for line in stream:
    if line.startswith(b"data: "):
        print(len(line), flush=True)
"""


class _Watched:
    """Fights in one store, with a server that may have a browser, and the least that each took."""

    def __init__(self, pairs: int, store: Path, served: Served) -> None:
        self.pairs, self.store, self.served, self.runs = pairs, store, served, 1
        self.bare = self.watched = self.server = float("inf")
        self.events = self.games = 0.0

    def play(self, browsers: int) -> None:
        """Play a run that so many browsers watch."""
        self.runs += 1
        url = f"{self.served.url}/runs/{self.runs}/events"
        command = [sys.executable, "-c", BROWSER, url]
        reading = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(browsers)]
        began, own, other = perf_counter(), process_time(), computed(self.served.process.pid)
        fight(self.pairs, self.store)
        took, own = perf_counter() - began, process_time() - own
        other = computed(self.served.process.pid) - other
        for each in reading:
            each.kill()
        events = sum(len(each.communicate()[0].splitlines()) for each in reading)
        if not browsers:
            self.bare = min(self.bare, own)
        elif own < self.watched:
            self.watched, self.server = own, other
            self.events, self.games = events / browsers / took, 2 * self.pairs / took


def rows(quick: bool) -> list[Row]:
    """Measure the processor time of a run that is watched, and that of the server."""
    pairs, rounds = (200, 1) if quick else (20_000, 5)
    work = f"monkey against monkey, {2 * pairs} games in a store, watched by a browser"
    if why := lack("starlette") or lack("uvicorn") or ("" if os.name == "posix" else "needs Linux"):
        return [skipped(work, why, BAR)]
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "arena.db"
        fight(pairs, store)
        with serving(store) as served:
            found = _Watched(pairs, store, served)
            for _ in range(rounds):
                found.play(1)
                found.play(0)
    shown = f"{found.events:.1f} events a second, of {found.games:,.0f} games per second"
    return [
        cost(f"{work}: processor time against unwatched", found.watched, found.bare, BAR),
        cost(f"{work}: that of the server against that of the run", found.server, found.watched),
        Row(f"{work}: events to the browser", shown),
    ]


def fight(pairs: int, store: Path) -> None:
    """Play a run of its own in the store."""
    arena.fight("monkey", "monkey", n=pairs, seed=SEED, engine="calls", store=store, again=True)
