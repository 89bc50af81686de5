"""Measure how quickly a PostgreSQL server keeps games: one of its own, with its usual settings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import arena
from arena.fights.pairing import Pairing, RunSetting
from arena.match.record import PlayedPair
from arena.store.journal import StoreJournal
from arena.store.sql import Store
from benchmarks.needs import lack
from benchmarks.postgres import PASSWORD, running_server
from benchmarks.table import Bar, Row, Sign, cost, skipped, speed
from benchmarks.timing import minima

SEED = 1
#: Pairs that are written at once: quick players play so many in a tenth of a second.
BATCH = 250
BAR = Bar(Sign.AT_LEAST, 5)


def rows(quick: bool) -> list[Row]:
    """Measure writing games one batch after another, each on disk before the next."""
    work = f"writing games to a PostgreSQL server, {2 * BATCH} at once: thousands a second"
    if why := lack("postgres") or lack("psycopg"):
        return [skipped(work, why, BAR)]
    pairs = 100 if quick else 5_000
    password = patch.dict(os.environ, PGPASSWORD=PASSWORD)
    with tempfile.TemporaryDirectory() as folder, running_server({}) as server, password:
        pairing, played = _played(pairs, Path(folder) / "played.db")
        url, file = server.create(), str(Path(folder) / "arena.db")
        there, here = minima(
            [lambda: _write(url, pairing, played), lambda: _write(file, pairing, played)],
            1 if quick else 5,
        )
    thousands = 2 * pairs / 1000
    return [
        speed(work, there / thousands, 1.0, BAR),
        cost("the same: time against a file", there, here),
    ]


def _played(pairs: int, store: Path) -> tuple[Pairing, Sequence[PlayedPair]]:
    """Return a pairing, and its pairs as they were played."""
    arena.fight("monkey", "monkey", n=pairs, seed=SEED, engine="calls", store=store)
    game, monkey = arena.get_game("tictactoe"), arena.get_player("monkey")
    pairing = Pairing(game, monkey, monkey, pairs, SEED)
    with StoreJournal(Store(store), 1, [pairing]) as journal:
        return pairing, journal.pairs(0)


def _write(store: str, pairing: Pairing, played: Sequence[PlayedPair]) -> None:
    """Write the pairs in a new run."""
    with StoreJournal.begin(Store(store, create=True), RunSetting("fight"), [pairing]) as journal:
        for begin in range(0, len(played), BATCH):
            journal.write(0, played[begin : begin + BATCH])
