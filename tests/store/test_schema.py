"""The schema: stores of older arenas are brought up to date and keep what they have."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import (
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    inspect,
    select,
    text,
)

import arena
from arena.errors import UsageError
from arena.store import schema
from arena.store.sql import Store
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run


def version_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        ((version,),) = database.execute("SELECT version FROM arena_schema").fetchall()
    return int(version)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def test_a_new_store_has_every_table_at_the_version_of_this_arena(path: Path) -> None:
    with Store(path, create=True).read() as connection:
        assert set(inspect(connection).get_table_names()) == set(schema.metadata.tables)
        assert schema.is_current(connection)
    assert version_in(path) == len(schema.MIGRATIONS)


def test_the_migrations_make_what_the_tables_say(path: Path) -> None:
    """A column that is added to a table needs a migration for the stores that there are."""
    with Store(path, create=True).read() as connection:
        there = MetaData()
        there.reflect(connection)
    for name, table in schema.metadata.tables.items():
        made: Table = there.tables[name]
        assert [column.name for column in made.columns] == [c.name for c in table.columns]
        for column in table.columns:
            found = made.columns[column.name]
            assert found.nullable == column.nullable
            assert found.primary_key == column.primary_key
            for kind in (Integer, Text):
                if type(column.type) is kind:
                    assert isinstance(found.type, kind)


def test_the_first_version_is_what_it_was() -> None:
    """The first migration is released: what it makes is changed by later migrations only."""
    with closing(sqlite3.connect(":memory:")) as database:
        from sqlalchemy import StaticPool, create_engine

        engine = create_engine("sqlite://", creator=lambda: database, poolclass=StaticPool)
        with engine.begin() as connection:
            schema.MIGRATIONS[0](connection)
            columns = {
                table: [column["name"] for column in inspect(connection).get_columns(table)]
                for table in inspect(connection).get_table_names()
            }
    assert columns == {
        "arena_schema": ["version"],
        "runs": [
            *("id", "started", "finished", "schedule", "game", "game_version", "seed", "sprt"),
            *("arena_version", "python_version", "machine"),
        ],
        "players": ["run", "place", "name", "version", "package", "file", "digest", "isolation"],
        "fights": ["run", "number", "a", "b", "pairs", "result"],
        "games": [
            *("run", "fight", "pair", "half", "moves", "outcome", "forfeit_side", "reason"),
            *("message", "seconds"),
        ],
    }


def test_opening_a_store_again_changes_nothing(path: Path) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    before = dump(path), path.read_bytes()
    for create in (False, True):
        Store(path, create=create)
    assert (dump(path), path.read_bytes()) == before


def make_older(path: Path, version: int) -> None:
    """Take back what later migrations made."""
    with closing(sqlite3.connect(path)) as connection, connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
        now = {name for (name,) in connection.execute(tables)}
        with closing(sqlite3.connect(":memory:")) as scratch, scratch:
            engine = create_engine("sqlite://", creator=lambda: scratch)
            with engine.begin() as older:
                for migration in schema.MIGRATIONS[:version]:
                    migration(older)
                known = set(inspect(older).get_table_names())
        for name in now - known:
            connection.execute(f"DROP TABLE {name}")
        connection.execute("UPDATE arena_schema SET version = ?", (version,))


@pytest.mark.parametrize("version", few(range(1, len(schema.MIGRATIONS) + 1), 2))
def test_a_store_of_every_older_version_is_brought_up_to_date(path: Path, version: int) -> None:
    played = arena.fight("monkey", "triples", 3, seed=1, store=path)
    make_older(path, version)
    assert version_in(path) == version
    before = dump(path)
    assert arena.show(path) == played
    assert version_in(path) == len(schema.MIGRATIONS)
    kept = [line for line in before if "arena_schema" not in line]
    assert set(kept) <= set(dump(path))
    assert arena.verify(path).divergence is None
    if version == len(schema.MIGRATIONS):
        assert arena.resume(path, 1) == played


def test_a_run_from_before_the_streams_changed_is_not_resumed(run: Run, path: Path) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    make_older(path, 3)
    ran = run("resume", str(path), "1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "under which the same seed gave other games" in ran.err
    assert run("show", "--store", str(path)).code == 0
    assert run("verify", str(path)).code == 0


def add_a_column(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE runs ADD COLUMN comment TEXT NOT NULL DEFAULT 'none'"))


def fail(connection: Connection) -> None:
    raise ZeroDivisionError


def test_only_the_migrations_that_are_missing_are_done(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    older = len(schema.MIGRATIONS)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, add_a_column))
        for _ in range(2):
            with Store(path).read() as connection:
                assert connection.execute(text("SELECT comment FROM runs")).scalars().all() == [
                    "none"
                ]
        assert version_in(path) == older + 1
    with pytest.raises(UsageError, match=f"a newer arena made it: version {older + 1} of the sch"):
        Store(path)


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    before = dump(path)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, add_a_column, fail))
        with pytest.raises(ZeroDivisionError):
            Store(path)
    assert dump(path) == before
    Store(path)


@pytest.mark.parametrize("words", ["", "plain", "ü→🂡", "\udcff", "a\udc80\x00b\ud800", "\x00"])
def test_names_and_messages_need_not_be_proper_unicode(path: Path, words: str) -> None:
    store = Store(path, create=True)
    values = {"place": 0, "version": "", "package": "", "digest": "", "isolation": ""}
    with store.write() as connection:
        run = connection.execute(
            schema.runs.insert().values(
                **dict.fromkeys(("started", "schedule", "game", "arena_version"), ""),
                **dict.fromkeys(("python_version", "machine"), ""),
                game_version=1,
                seed=2**63 - 1,
            )
        ).inserted_primary_key
        assert run is not None
        connection.execute(
            schema.players.insert().values(run=run[0], name=words, file=words, **values)
        )
    with store.read() as connection:
        (row,) = connection.execute(select(schema.players))
        assert (row.name, row.file) == (words, words)
        assert connection.execute(select(schema.runs.c.seed)).scalar_one() == 2**63 - 1
