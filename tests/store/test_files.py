"""Files that are not a store, are not permitted, or are on a disk that fails."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

import arena
from arena.errors import StoreError, UsageError
from arena.store import schema, sqlite
from arena.store.sql import Store
from tests.golden import Wording
from tests.store.writing import add_run, count, pragma


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE letters (text)")
        database.execute("INSERT INTO letters VALUES ('dear')")
        database.commit()


def newer_store(path: Path) -> None:
    Store(path, create=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE arena_store SET version = 99")
        database.commit()


def store_without_version(path: Path) -> None:
    Store(path, create=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM arena_store")
        database.commit()


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    "make",
    [
        Path.mkdir,
        os.mkfifo,
        lambda path: path.write_text("hello"),
        lambda path: path.write_bytes(bytes(99)),
        lambda path: path.write_text("{}" * 9999),
        other_database,
        newer_store,
        store_without_version,
    ],
)
def test_what_is_no_store_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object, create: bool, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path("S"))  # type: ignore[operator]
    before = Path("S").read_bytes() if os.path.isfile("S") else None
    with pytest.raises(UsageError) as caught:
        Store("S", create=create)
    wording(str(caught.value))
    assert os.listdir() == ["S"]
    if before is not None:
        assert Path("S").read_bytes() == before


def test_another_programs_log_is_left_alone_too(path: Path, wording: Wording) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE letters (text)")
        other.commit()
        with wording.raises(UsageError):
            Store(path)
        assert other.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
        assert other.execute("SELECT * FROM letters").fetchall() == []


@contextmanager
def nobody() -> Iterator[Path]:
    """Yield a folder that can be read and not written to, as a user who is not root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(folder / "S", create=True)
        add_run(store)
        (folder / "secret").write_bytes((folder / "S").read_bytes())
        (folder / "secret").chmod(0)
        (folder / "S").chmod(0o444)
        folder.chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
            folder.chmod(0o700)


def test_what_is_not_permitted_is_a_fault_of_the_machine() -> None:
    with nobody() as folder:
        for name in ("new", "secret", "S"):
            with pytest.raises(StoreError) as caught:
                add_run(Store(folder / name, create=True))
            assert str(caught.value).startswith("store ")
            assert "\n" not in str(caught.value)
            assert caught.value.exit_code == 4
    assert not folder.exists()


@pytest.mark.slow
def test_a_full_disk_stops_a_run_and_what_was_kept_can_be_gone_on_with(
    path: Path, wording: Wording
) -> None:
    whole = arena.fight("monkey", "triples", 300, seed=1)

    pages = int(str(pragma(Store(path, create=True), "page_count")))

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages + 4}")

    event.listen(Engine, "connect", limit)
    try:
        with wording.raises(StoreError, match="'.*'") as caught:
            arena.fight("monkey", "triples", 300, seed=1, store=path)
    finally:
        event.remove(Engine, "connect", limit)
    assert caught.value.exit_code == 4
    games = count(Store(path), schema.games)
    assert 0 < games < 600
    assert games % 2 == 0
    assert arena.verify(path).divergence is None
    assert arena.resume(path) == whole
    assert count(Store(path), schema.games) == 600


def test_a_disk_that_fails_is_a_fault_of_the_machine(
    path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    store = Store(path, create=True)

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(store.database.engine.dialect, "do_commit", fails)
    with wording.raises(StoreError):
        add_run(store)
    monkeypatch.undo()
    assert count(store) == 0


def test_the_log_is_not_used_where_it_cannot_be_relied_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(path, create=True)
    assert pragma(Store(path), "journal_mode") == "wal"
    monkeypatch.setattr(sqlite, "file_system", lambda _: "nfs")
    store = Store(path)
    assert pragma(store, "journal_mode") == "delete"
    assert pragma(store, "synchronous") == 2
    add_run(store)
    monkeypatch.undo()
    assert count(Store(path)) == 1
