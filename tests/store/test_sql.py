"""A store's file: how it is opened, named and written to."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert

from arena.errors import StoreError, UsageError
from arena.store import schema, sqlite
from arena.store.reading import read_runs
from arena.store.sql import Store
from arena.store.sqlite import file_system
from tests.golden import Wording
from tests.store.writing import RUN, add_run, count, pragma


@pytest.mark.slow
@pytest.mark.parametrize("writing", [False, True])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 10_000),
        ("fullfsync", 1),
    ],
)
def test_every_connection_is_safe(path: Path, name: str, value: object, writing: bool) -> None:
    Store(path, create=True)
    assert pragma(Store(path), name, writing) == value


@pytest.mark.slow
def test_the_statements_of_one_file_serve_the_next(tmp_path: Path) -> None:
    before: list[int] = []
    for name in ("first", "second"):
        store = Store(tmp_path / name, create=True)
        add_run(store)
        assert count(store) == 1
        before.append(len(sqlite._statements))
    assert before[0] == before[1] > 0


@pytest.mark.slow
def test_no_connection_is_left_open_and_the_file_holds_everything(path: Path) -> None:
    store = Store(path, create=True)
    add_run(store)
    assert os.listdir(path.parent) == ["S"]
    if os.path.isdir("/proc/self/fd"):
        links = {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
        assert str(path) not in links
    with store.read():
        assert {"S", "S-wal", "S-shm"} == set(os.listdir(path.parent))
    assert os.listdir(path.parent) == ["S"]


def test_a_transaction_that_fails_leaves_nothing(path: Path) -> None:
    def add_and_fail(store: Store) -> None:
        with store.write() as connection:
            connection.execute(insert(schema.runs).values(**RUN))
            raise ZeroDivisionError

    store = Store(path, create=True)
    with pytest.raises(ZeroDivisionError):
        add_and_fail(store)
    assert count(store) == 0


def test_nothing_can_be_kept_that_belongs_to_nothing(path: Path, wording: Wording) -> None:
    store = Store(path, create=True)
    add_run(store)
    fight = {"run": 1, "number": 0, "a": 0, "b": 1, "pairs": 1}
    with wording.raises(StoreError), store.write() as connection:
        connection.execute(insert(schema.fights).values(**fight))
    assert count(store, schema.fights) == 0


def test_the_same_key_cannot_be_written_twice(path: Path) -> None:
    store = Store(path, create=True)
    add_run(store)
    with pytest.raises(StoreError, match="UNIQUE"), store.write() as connection:
        connection.execute(insert(schema.runs).values(id=1, **RUN))


def test_writers_lock_from_the_beginning_and_readers_never(path: Path) -> None:
    store = Store(path, create=True)
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        with store.write():
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            assert other.execute("SELECT count(*) FROM runs").fetchall() == [(0,)]
        with store.read() as connection:
            assert read_runs(connection) == []
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")


@pytest.mark.slow
def test_another_writer_is_waited_for_but_not_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(sqlite, "MAX_BUSY_SECONDS", 1)
    store = Store(path, create=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with wording.raises(StoreError, match="'.*'"):
            add_run(store)
        assert count(store) == 0


def open_together(path: Path, barrier: object, seconds: float) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    add_run(Store(path, create=True))


@pytest.mark.slow
@pytest.mark.parametrize("there", [False, True], ids=["no file", "empty file"])
@pytest.mark.parametrize("attempt", range(4))
def test_several_processes_can_make_a_store_at_the_same_time(
    path: Path, attempt: int, there: bool
) -> None:
    if there:
        path.touch()
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(6)
    crew = [context.Process(target=open_together, args=(path, barrier, 0)) for _ in range(6)]
    for process in crew:
        process.start()
    for process in crew:
        process.join()
    assert [process.exitcode for process in crew] == [0] * 6
    assert count(Store(path)) == 6
    assert os.listdir(path.parent) == ["S"]


def test_the_change_of_mode_is_tried_again_while_the_file_is_in_use(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    class Busy:
        def execute(self, statement: str) -> None:
            tries.append(statement)
            if len(tries) < 5:
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error

    sqlite._set_mode(Busy(), "WAL")  # type: ignore[arg-type]
    assert tries == ["PRAGMA journal_mode=WAL"] * 5
    monkeypatch.setattr(sqlite, "MAX_BUSY_SECONDS", 1)
    tries.clear()
    monkeypatch.setattr(sqlite, "sleep", lambda _: tries.clear())
    with pytest.raises(sqlite3.OperationalError):
        sqlite._set_mode(Busy(), "WAL")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [
        "a store",
        "störe→",
        "a?mode=ro&x=1",
        "a#b",
        "100%25.db",
        "a+b&c;d",
        ":memory:",
        "file:x?mode=memory",
        "'\"`$(id)",
        "S.sqlite3",
        os.fsdecode(b"not-\xff-unicode"),
        "x" * 200,
    ],
)
def test_any_name_is_a_name(tmp_path: Path, name: str) -> None:
    add_run(Store(tmp_path / name, create=True))
    assert os.listdir(tmp_path) == [name]
    assert count(Store(tmp_path / name)) == 1


def test_a_relative_name_is_found_wherever_the_program_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store("S", create=True)
    monkeypatch.chdir("/")
    add_run(store)
    assert store.name == "S"
    assert os.listdir(tmp_path) == ["S"]


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/S")
    store = Store(tmp_path / "link", create=True)
    add_run(store)
    assert os.listdir(tmp_path / "folder") == ["S"]
    for name in ("link", "folder/S"):
        database = Store(tmp_path / name).database
        assert isinstance(database, sqlite.SqliteFile)
        assert database.path == tmp_path / "folder/S"


@pytest.mark.parametrize(
    "name",
    [
        "missing",
        "missing/S",
        "x" * 300,
        "",
    ],
)
def test_what_is_missing_is_not_made_unless_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    with wording.raises(UsageError) as caught:
        Store(name)
    assert len(str(caught.value)) < 120
    assert os.listdir() == []


def test_a_store_needs_a_folder_and_a_possible_name(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "file").touch()
    for name in ("missing/S", "file/S"):
        with wording.raises(UsageError):
            Store(tmp_path / name, create=True)
    with wording.raises(StoreError) as caught:
        Store(tmp_path / ("x" * 300), create=True)
    assert len(str(caught.value)) < 200
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises((UsageError, StoreError)):
        Store(tmp_path / "loop", create=True)


def test_the_file_system_is_the_one_that_the_path_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = (
        "rootfs / rootfs rw 0 0\n"
        "/dev/vda / ext4 rw 0 0\n"
        "server:/home /home nfs4 rw 0 0\n"
        "server:/x /home/me/the\\040share cifs rw 0 0\n"
        "tmpfs /home/me/local tmpfs rw 0 0\n"
    )
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: mounts)
    assert file_system(Path("/var/S")) == "ext4"
    assert file_system(Path("/homely/S")) == "ext4"
    assert file_system(Path("/home/me/S")) == "nfs4"
    assert file_system(Path("/home/me/the share/S")) == "cifs"
    assert file_system(Path("/home/me/local/S")) == "tmpfs"


def test_no_list_of_file_systems_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", fails)
    assert file_system(Path("/S")) == ""
