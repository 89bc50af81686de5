"""The schema: stores of older arenas are brought up to date and keep what they have."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect

import arena
from arena.store import schema
from arena.store.migrations import MIGRATIONS
from arena.store.sql import Store
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run


def version_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        ((version,),) = database.execute("SELECT version FROM arena_store").fetchall()
    return int(version)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def test_a_new_store_has_every_table_at_the_version_of_this_arena(path: Path) -> None:
    with Store(path, create=True).read() as connection:
        assert set(inspect(connection).get_table_names()) == set(schema.metadata.tables)
        assert schema.version_of(connection) == len(MIGRATIONS)
    assert version_in(path) == len(MIGRATIONS)


@pytest.mark.slow
def test_opening_a_store_again_changes_nothing(path: Path) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    before = dump(path), path.read_bytes()
    for create in (False, True):
        Store(path, create=create)
    assert (dump(path), path.read_bytes()) == before


@pytest.mark.slow
def test_a_run_from_before_the_streams_changed_is_not_resumed(
    run: Run, path: Path, wording: Wording
) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE runs SET streams = 1")
    ran = run("resume", str(path), "1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)
    assert run("show", "--store", str(path)).code == 0
    assert run("verify", str(path)).code == 0
