"""A store that cannot be written to can still be read: a folder of others, a full disk."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import StoreError, UsageError
from arena.store import migrations
from arena.store.sql import Store, open_to_read
from tests import needs

pytestmark = pytest.mark.slow  # the store takes a regression run


def everything(path: Path) -> tuple[Any, ...]:
    """Return what all commands find that only read a store."""
    return (
        arena.verify(path),
        arena.show(path),
        arena.export(path),
        arena.stored_runs(path),
        arena.history(path, "monkey"),
    )


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a run and a night."""
    path = tmp_path_factory.mktemp("original") / "S"
    arena.fight("monkey", "triples", 3, seed=1, store=path)
    arena.regress(["monkey"], store=path)
    return path


@pytest.fixture
def store(original: Path) -> Iterator[Path]:
    """Yield a copy in a folder that every user can find."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        path = Path(name) / "a store?#%"
        shutil.copy(original, path)
        path.chmod(0o644)
        yield path


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Be a user who can read the folder and not write to it."""
    folder.chmod(0o555)
    if os.getuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        folder.chmod(0o755)


def test_whoever_may_not_write_finds_the_same(store: Path) -> None:
    expected, files = everything(store), set(store.parent.iterdir())
    with as_nobody(store.parent):
        assert everything(store) == expected
    assert set(store.parent.iterdir()) == files


def test_whoever_may_not_write_is_told_so_when_it_plays(store: Path) -> None:
    with as_nobody(store.parent), pytest.raises(StoreError):
        arena.fight("monkey", "triples", 3, seed=1, store=store)


def test_a_log_that_cannot_be_read_in_is_not_passed_over(store: Path) -> None:
    """A copy of what a process that was killed leaves: its last run is in the log alone."""
    folder = store.parent / "left"
    with closing(sqlite3.connect(store)) as open_still:
        open_still.execute("PRAGMA wal_autocheckpoint=0")
        open_still.execute("UPDATE runs SET seed=99")
        open_still.commit()
        for end in ("", "-wal"):
            shutil.copy(f"{store}{end}", f"{folder}{end}")
    for end in ("", "-wal"):
        Path(f"{folder}{end}").chmod(0o644)
    with as_nobody(store.parent), pytest.raises(StoreError, match="-wal"):
        open_to_read(folder)
    assert arena.show(folder).seed == 99  # type: ignore[union-attr]


def test_a_store_that_another_writes_to_is_read_with_its_log(store: Path) -> None:
    with closing(sqlite3.connect(store)) as other:
        other.execute("PRAGMA wal_autocheckpoint=0")
        other.execute("UPDATE runs SET seed=99")
        other.commit()
        for end in ("-wal", "-shm"):
            Path(f"{store}{end}").chmod(0o644)
        with as_nobody(store.parent):
            assert arena.stored_runs(store).rows[0]["seed"] == 99


def test_a_store_of_an_older_arena_says_so(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = ("ALTER TABLE runs ADD COLUMN place TEXT",)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, later))
    with as_nobody(store.parent), pytest.raises(StoreError, match=r"a store\?#%"):
        open_to_read(store)


def test_what_is_no_store_is_none_without_writing_either(store: Path) -> None:
    (store.parent / "x").write_text("nothing of the kind " * 100)
    with as_nobody(store.parent), pytest.raises(UsageError, match="not a database"):
        open_to_read(store.parent / "x")


def test_a_store_that_is_read_alone_is_not_written_to(store: Path) -> None:
    with pytest.raises(StoreError), Store(store, read_only=True).write() as connection:
        connection.exec_driver_sql("DELETE FROM checks")


@pytest.mark.parametrize(
    "makes_it_so", ["mount -o remount,ro $2", "dd if=/dev/zero of=$2/fill bs=4096 2>/dev/null"]
)
def test_a_disk_that_is_read_only_or_full_can_be_read(
    store: Path, tmp_path: Path, makes_it_so: str
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    needs.require_mounts(disk)
    commands = ["verify $2/S", "show", "export", "runs", "history monkey"]
    script = (
        f"{needs.MOUNT}; cp -p '{store}' $2/S; export ARENA_STORE=$2/S; {makes_it_so} || true\n"
        + "\n".join(
            f"{sys.executable} -c 'import sys; from arena.main import main; sys.exit(main())'"
            f" {command}"
            for command in commands
        )
    )
    ran = subprocess.run(
        ["unshare", "-m", "sh", "-ec", script, "sh", f"{store.stat().st_size + 8192}", disk],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert "monkey" in ran.stdout
