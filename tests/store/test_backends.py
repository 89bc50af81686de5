"""A store in a file and one on a server do the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, insert, inspect, select, text, update

import arena
from arena.errors import StoreError, UsageError
from arena.store import schema
from arena.store.sql import Store
from tests.servers import PASSWORD, Server, running_server

if TYPE_CHECKING:
    from tests.conftest import Run

PGN = """[White "anna"]
[Black "bert"]
[Variant "tictactoe"]
[Result "1-0"]

1. 5 1 2. 2 9 3. 8 1-0
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.fixture(
    params=["file", pytest.param("server", marks=pytest.mark.needs("postgres", "psycopg"))]
)
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a store that is not there yet."""
    monkeypatch.chdir(tmp_path)
    if request.param == "file":
        return "S"
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    return str(request.getfixturevalue("server").create())


@pytest.mark.slow
def test_every_command_takes_it(run: Run, store: str) -> None:
    command = ("tournament", "monkey", "triples", "tictactoe1", "-n", "4", "--seed", "5")
    played = run(*command, "--store", store, "--executor", "serial")
    assert played == (0, run(*command, "--executor", "serial").out, "")
    assert run("show", store) == played
    assert run("resume", store, "1") == played
    assert run("runs", store).out.splitlines()[-1].endswith("24       24  complete")
    game = run("browse", store, "--format", "csv").out.splitlines()[1].split(",")[2]
    for name in ("replay", "explain"):
        assert run(name, game, "--store", store).code == 0
    assert run("verify", store).out == (
        "the store holds: 24 games in 1 run agree with the rules and the totals\n"
    )
    assert run("rate", store).code == 0
    Path("games.pgn").write_text(PGN)
    assert run("import", "games.pgn", "--store", store).code == 0
    assert run("import", "games.pgn", "--store", store).code == 2
    assert '"player": "anna"' not in run("export", store).out
    assert '"anna"' in run("export", store).out
    night = ("regress", "monkey", "--quick", "--baseline", "B", "--update", "--store", store)
    assert run(*night).code == 0
    assert run("history", "monkey", "--store", store).code == 0


def test_the_same_run_again_plays_nothing(store: str) -> None:
    played = arena.fight("monkey", "triples", 3, seed=1, store=store)
    assert arena.fight("monkey", "triples", 3, store=store) == played
    assert len(arena.api.stored_runs(store).rows) == 1


@pytest.mark.parametrize("words", ["", "ü→🂡", "\udcff", "a\udc80\x00b\ud800", "\x00"])
def test_names_and_messages_need_not_be_proper_unicode(store: str, words: str) -> None:
    values = {"place": 0, "version": "", "package": "", "digest": "", "isolation": ""}
    with Store(store, create=True).write() as connection:
        added = connection.execute(insert(schema.runs).values(**RUN))
        (run,) = added.inserted_primary_key or (0,)
        player = {"run": run, "name": words, "file": words, **values}
        connection.execute(insert(schema.players).values(player))
        note = {"run": run, "options": {words: [0.1, None, 2**63]}}
        connection.execute(insert(schema.options).values(note))
    with Store(store).read() as connection:
        (row,) = connection.execute(select(schema.players).where(schema.players.c.name == words))
        assert (row.name, row.file) == (words, words)
        assert connection.execute(select(schema.options.c.options)).scalar_one() == note["options"]
        assert connection.execute(select(schema.runs.c.seed)).scalar_one() == 2**63 - 1


RUN = {
    **dict.fromkeys(("started", "schedule", "game", "arena_version"), "x"),
    **dict.fromkeys(("python_version", "machine"), "x"),
    "game_version": 1,
    "seed": 2**63 - 1,
}


def test_a_transaction_is_whole_or_not_there(store: str) -> None:
    opened = Store(store, create=True)
    fight = {"run": 1, "number": 0, "a": 0, "b": 1, "pairs": 1}

    def fail() -> None:
        with opened.write() as connection:
            connection.execute(insert(schema.runs).values(**RUN))
            connection.execute(insert(schema.fights).values(**fight))

    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        fail()
    with opened.read() as connection:
        assert connection.execute(select(schema.runs)).all() == []


def test_a_reader_sees_one_moment(store: str) -> None:
    arena.fight("monkey", "triples", 1, seed=1, store=store)
    with Store(store).read() as connection:
        before = connection.execute(select(schema.runs)).all()
        arena.fight("monkey", "triples", 1, seed=2, store=store)
        assert connection.execute(select(schema.runs)).all() == before


def test_a_run_is_taken_up_once_at_a_time(store: str) -> None:
    played = arena.fight("monkey", "triples", 1, seed=1, store=store)
    arena.fight("monkey", "triples", 1, seed=2, store=store)
    with Store(store).lock(1):
        if store != "S":  # of one process a file cannot tell two
            with pytest.raises(UsageError, match="is being played by another process"):
                arena.resume(store, 1)
        arena.resume(store, 2)
    assert arena.resume(store, 1) == played


@pytest.mark.parametrize("version", [1, 4])
def test_a_store_of_an_older_version_is_brought_up_to_date(store: str, version: int) -> None:
    played = arena.fight("monkey", "triples", 3, seed=1, store=store)
    with create_engine("sqlite://").begin() as older:
        for migration in schema.MIGRATIONS[:version]:
            migration(older)
        known = set(inspect(older).get_table_names())
    with Store(store).write() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if table.name not in known:
                table.drop(connection)
        connection.execute(update(schema.version).values(version=version))
    assert arena.api.show(store) == played
    with Store(store).read() as connection:
        assert schema.is_current(connection)


def test_a_store_of_a_newer_version_is_refused(store: str, run: Run) -> None:
    with Store(store, create=True).write() as connection:
        connection.execute(update(schema.version).values(version=99))
    ran = run("runs", store)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "a newer arena made it: version 99 of the schema" in ran.err


def test_another_database_is_refused(store: str, run: Run) -> None:
    engine = Store(store, create=True).database.engine
    with engine.begin() as connection:
        schema.metadata.drop_all(connection)
        connection.execute(text("CREATE TABLE mine (id INTEGER)"))
    ran = run("fight", "monkey", "triples", "--store", store)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "it is a database, but not a store of arena's" in ran.err


def test_a_damaged_store_is_named(store: str) -> None:
    arena.fight("monkey", "triples", 3, seed=1, store=store)
    with Store(store).write() as connection:
        connection.execute(update(schema.games).where(schema.games.c.pair == 2).values(moves="1 1"))
    found: Any = arena.api.verify(store).divergence
    assert (found.run, found.where) == (1, "tictactoe/monkey/triples/1/2.1")
