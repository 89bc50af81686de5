"""Write runs into a store, go on with them, and ask what its file has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Table, func, insert, select

import arena
from arena.records.tournaments import TournamentResult
from arena.rng import STREAMS
from arena.store import schema
from arena.store.sql import Store

RUN = {
    "started": "now",
    "schedule": "fight",
    "game": "tictactoe",
    "game_version": 1,
    "seed": 2**63 - 1,
    "streams": STREAMS,
    "options": {},
    "arena_version": "1",
    "python_version": "3",
    "machine": "m",
}


def add_run(store: Store) -> None:
    with store.write() as connection:
        connection.execute(insert(schema.runs).values(**RUN))


def count(store: Store, table: Table = schema.runs) -> int:
    with store.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def pragma(store: Store, name: str, writing: bool = False) -> object:
    with (store.write if writing else store.read)() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def resume(path: Path, **options: Any) -> TournamentResult:
    played = arena.resume(path, 1, executor="serial", **options)
    assert isinstance(played, TournamentResult)
    assert arena.show(path, 1) == played
    assert arena.verify(path).divergence is None
    return played
