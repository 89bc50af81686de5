"""A store in a file and one on a server do the same."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Column, MetaData, insert, select, text, update

import arena
from arena.errors import StoreError, UsageError
from arena.records.base import Json
from arena.store import migrations, schema
from arena.store.columns import AnyText
from arena.store.lock import refusal
from arena.store.sql import Store
from tests.golden import Wording
from tests.store.writing import RUN

if TYPE_CHECKING:
    from tests.conftest import Run

PGN = """[White "anna"]
[Black "bert"]
[Variant "tictactoe"]
[Result "1-0"]

1. 5 1 2. 2 9 3. 8 1-0
"""


@pytest.mark.slow
def test_every_command_takes_it(run: Run, backend: str, wording: Wording) -> None:
    command = ("tournament", "monkey", "triples", "tictactoe1", "-n", "4", "--seed", "5")
    played = run(*command, "--store", backend, "--executor", "serial")
    assert played == (0, run(*command, "--executor", "serial").out, "")
    assert run("show", backend) == played
    assert run("resume", backend, "1") == played
    assert run("runs", backend).out.splitlines()[-1].endswith("24       24  complete")
    game = run("browse", backend, "--format", "csv").out.splitlines()[1].split(",")[2]
    for name in ("replay", "explain"):
        assert run(name, game, "--store", backend).code == 0
    wording(run("verify", backend).out, "24")
    assert run("rate", backend).code == 0
    assert run("report", backend, "-o", "report.html").code == 0
    Path("games.pgn").write_text(PGN)
    assert run("import", "games.pgn", "--store", backend).code == 0
    assert run("import", "games.pgn", "--store", backend).code == 2
    assert '"player": "anna"' not in run("export", backend).out
    assert '"anna"' in run("export", backend).out
    night = ("regress", "monkey", "--quick", "--baseline", "B", "--update", "--store", backend)
    assert run(*night).code == 0
    assert run("history", "monkey", "--store", backend).code == 0


@pytest.mark.slow
def test_the_same_run_again_plays_nothing(backend: str) -> None:
    played = arena.fight("monkey", "triples", 3, seed=1, store=backend)
    assert arena.fight("monkey", "triples", 3, store=backend) == played
    assert len(arena.stored_runs(backend).rows) == 1


@pytest.mark.parametrize("words", ["", "ü→🂡", "\udcff", "a\udc80\x00b\ud800", "\x00"])
def test_names_and_messages_need_not_be_proper_unicode(backend: str, words: str) -> None:
    values: Json = {"place": 0, "version": "", "package": "", "digest": "", "isolation": ""}
    values |= {"limits": {}, "spec": ""}
    with Store(backend, create=True).write() as connection:
        added = connection.execute(insert(schema.runs).values(**RUN))
        (run,) = added.inserted_primary_key or (0,)
        player = {"run": run, "name": words, "file": words, **values}
        connection.execute(insert(schema.players).values(player))
        options = {words: [0.1, None, 2**63]}
        connection.execute(update(schema.runs).values(options=options))
    with Store(backend).read() as connection:
        (row,) = connection.execute(select(schema.players).where(schema.players.c.name == words))
        assert (row.name, row.file) == (words, words)
        assert connection.execute(select(schema.runs.c.options)).scalar_one() == options
        assert connection.execute(select(schema.runs.c.seed)).scalar_one() == 2**63 - 1


def test_a_transaction_is_whole_or_not_there(backend: str, wording: Wording) -> None:
    opened = Store(backend, create=True)
    fight = {"run": 1, "number": 0, "a": 0, "b": 1, "pairs": 1}

    def fail() -> None:
        with opened.write() as connection:
            connection.execute(insert(schema.runs).values(**RUN))
            connection.execute(insert(schema.fights).values(**fight))

    with wording.raises(StoreError):
        fail()
    with opened.read() as connection:
        assert connection.execute(select(schema.runs)).all() == []


@pytest.mark.slow
def test_a_reader_sees_one_moment(backend: str) -> None:
    arena.fight("monkey", "triples", 1, seed=1, store=backend)
    with Store(backend).read() as connection:
        before = connection.execute(select(schema.runs)).all()
        arena.fight("monkey", "triples", 1, seed=2, store=backend)
        assert connection.execute(select(schema.runs)).all() == before


@pytest.mark.slow
def test_a_run_is_taken_up_once_at_a_time(backend: str) -> None:
    played = arena.fight("monkey", "triples", 1, seed=1, store=backend)
    arena.fight("monkey", "triples", 1, seed=2, store=backend)
    with Store(backend).lock(1):
        if backend != "S":  # of one process a file cannot tell two
            with pytest.raises(UsageError, match=re.escape(str(refusal(1, backend)))):
                arena.resume(backend, 1)
        arena.resume(backend, 2)
    assert arena.resume(backend, 1) == played


#: The column of a step that some later arena may have: no developer would give one this name.
ADDED = "column_of_test_backends"
LATER = (f"ALTER TABLE runs ADD COLUMN {ADDED} {{words}}",)


def columns_of(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return the columns of every table, each as the database has it."""
    with store.read() as connection:
        tables = MetaData()
        tables.reflect(connection)
    return {
        name: [
            *((c.name, repr(c.type), c.nullable, c.primary_key) for c in table.columns),
            *sorted((str(key.parent), key.target_fullname) for key in table.foreign_keys),
        ]
        for name, table in tables.tables.items()
    }


def make_it_new(store: Store) -> Store:
    """Delete everything in a store, and make it again."""
    with store.write() as connection:
        tables = MetaData()
        tables.reflect(connection)
        tables.drop_all(connection)
    return Store(store.name, create=True)


@pytest.mark.slow
def test_the_migrations_make_the_tables_of_the_schema(backend: str) -> None:
    made = columns_of(Store(backend, create=True))
    store = Store(backend)
    with store.write() as connection:
        schema.metadata.drop_all(connection)
        schema.metadata.create_all(connection)
    assert columns_of(store) == made


@pytest.mark.slow
def test_a_migration_adds_a_column_to_a_new_store_and_to_one_with_games(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*players: str, **options: Any) -> arena.records.TournamentResult:
        return arena.tournament(players, 2, seed=3, executor="serial", **options)

    played = play("monkey", "triples", store=backend)
    games = arena.export(backend).as_json()
    later = schema.runs.to_metadata(MetaData())
    later.append_column(Column(ADDED, AnyText))
    monkeypatch.setattr(schema, "runs", later)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, LATER))
    assert arena.show(backend) == played
    assert arena.export(backend).as_json() == games
    older = columns_of(Store(backend))
    for _ in ("the old store", "a new one"):
        grown = arena.resume(backend, 1, add=["lines"], executor="serial")
        assert grown == play("monkey", "triples", "lines")
        with Store(backend).write() as connection:
            connection.execute(update(later).values({ADDED: "\udcff"}))
            assert connection.execute(select(later.c[ADDED])).scalar_one() == "\udcff"
        assert arena.verify(backend).divergence is None
        assert columns_of(make_it_new(Store(backend))) == older
        play("monkey", "triples", store=backend)


@pytest.mark.slow
def test_a_migration_that_fails_leaves_the_store_as_it_was(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = arena.fight("monkey", "triples", 3, seed=1, store=backend)
    before = columns_of(Store(backend))
    with monkeypatch.context() as patch:
        steps = (*migrations.MIGRATIONS, LATER, ("ALTER TABLE none ADD COLUMN x TEXT",))
        patch.setattr(migrations, "MIGRATIONS", steps)
        with pytest.raises(StoreError, match="none"):
            Store(backend)
    assert columns_of(Store(backend)) == before
    assert arena.show(backend) == played


def test_a_store_from_before_the_migrations_names_the_command_that_exports_it(
    backend: str, run: Run, wording: Wording
) -> None:
    store = Store(backend, create=True)
    name = shlex.quote(store.name)
    with store.write() as connection:
        connection.execute(text("CREATE TABLE arena_schema (version INTEGER NOT NULL)"))
        connection.execute(text("INSERT INTO arena_schema VALUES (8)"))
        schema.version.drop(connection)
    for command in (("show", backend), ("fight", "monkey", "triples", "--store", backend)):
        ran = run(*command)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err, "--output", f"{name}")


def test_a_store_of_a_newer_version_is_refused(backend: str, run: Run, wording: Wording) -> None:
    with Store(backend, create=True).write() as connection:
        connection.execute(update(schema.version).values(version=99))
    ran = run("runs", backend)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err, "99")


def test_another_database_is_refused(backend: str, run: Run, wording: Wording) -> None:
    engine = Store(backend, create=True).database.engine
    with engine.begin() as connection:
        schema.metadata.drop_all(connection)
        connection.execute(text("CREATE TABLE mine (id INTEGER)"))
    ran = run("fight", "monkey", "triples", "--store", backend)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_a_damaged_store_is_named(backend: str) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=backend)
    with Store(backend).write() as connection:
        connection.execute(update(schema.games).where(schema.games.c.pair == 2).values(moves="1 1"))
    divergence: Any = arena.verify(backend).divergence
    assert (divergence.run, divergence.where) == (1, "tictactoe/monkey/triples/1/2.1")


@pytest.mark.slow
def test_a_clock_that_goes_wrong_changes_no_order(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year, seed in (("2031", 1), ("2019", 2)):
        monkeypatch.setattr(
            "arena.store.plans.timestamp", lambda year=year: f"{year}-01-01T00:00:00+00:00"
        )
        arena.fight("monkey", "triples", 1, seed=seed, store=backend, executor="serial")
    rows = arena.stored_runs(backend).rows
    assert [(row["seed"], str(row["started"])[:4]) for row in rows] == [(1, "2031"), (2, "2019")]
    shown = arena.show(backend)
    assert shown.as_json()["seed"] == 2, "the latest is the one that came last"
    assert arena.verify(backend).divergence is None
