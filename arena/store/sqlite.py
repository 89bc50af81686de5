"""Keep a store in an SQLite file.

SQLite runs in WAL mode with ``synchronous=FULL``, so that a commit survives the end of the process
and of the machine. Every transaction has a connection of its own: workers fork while no connection
is open, and when the last connection closes SQLite moves the log into the file, which then holds
everything. Writers begin with ``BEGIN IMMEDIATE``: a transaction that reads first and then writes
would fail at once when another arena writes to the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, NullPool, create_engine, event, exc

from arena.clock import sleep
from arena.errors import ArenaError, StoreError, UsageError, quoted
from arena.files import located, naming
from arena.store import schema
from arena.store.database import Database, TransactionKind, Write
from arena.store.lock import FileLock, RunLock, T

#: Seconds to wait for another arena that writes to the same file.
MAX_BUSY_SECONDS = 10

#: File systems with locks and shared memory that SQLite's log cannot rely on.
NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs")


class _Statements(dict[Any, Any]):
    """Keep the SQL of statements for all files. An engine would write it again for each of them.

    SQLAlchemy's keys begin with the engine's dialect, which is the same for every file.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the SQL of a statement, or the default."""
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


#: The SQL of this process's statements.
_statements = _Statements()


class SqliteFile(Database):
    """A file with a store, made when it is written to if ``create`` is true.

    Raises UsageError if there is no such file and ``create`` is false, or it is not a file.
    ``read_only`` does not write anything, not even next to the file.
    """

    def __init__(self, name: str, create: bool, read_only: bool) -> None:
        self.name, self._read_only = name, read_only
        self.path = self._located(create)  # one file has one lock, by any name
        #: Journal mode, set once the file is known as a store: it would change another file's mode.
        self._mode = ""
        self.engine = create_engine(
            _url_to_read(self.path) if read_only else URL.create("sqlite", database=str(self.path)),
            poolclass=NullPool,
            connect_args={"timeout": MAX_BUSY_SECONDS},
            execution_options={"compiled_cache": _statements},
            json_deserializer=schema.read_json,
        )
        event.listen(self.engine, "connect", self._connected)
        event.listen(self.engine, "begin", _begin)

    def _located(self, create: bool) -> Path:
        with naming("store", self.name):
            path = located(self.name)
        if os.path.isdir(path):
            raise UsageError(f"store {quoted(self.name)} is a folder")
        if not os.path.exists(path):  # this is also False for an impossible name
            if not create:
                raise UsageError(f"store {quoted(self.name)}: there is no such file")
            if not os.path.isdir(path.parent):
                raise UsageError(f"store {quoted(self.name)}: its folder does not exist")
        elif not os.path.isfile(path):  # SQLite would put its log next to a device
            raise UsageError(f"store {quoted(self.name)} is not a file")
        return path

    def accept(self, version: int, create: bool) -> None:
        """Write to the file from now on. Raises StoreError for an older store to be read only, and
        NoStore for an empty file unless ``create`` is true.
        """
        if not version and not create:
            raise schema.NoStore("it is empty")
        if not self._read_only:
            self._mode = "DELETE" if file_system(self.path) in NETWORK else "WAL"
        elif not schema.is_current(version):
            problem = "of an older arena, and cannot be migrated where it is"
            raise StoreError(f"store {quoted(self.name)} is {problem}")

    def _connected(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # this module begins transactions, not the driver
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            "fullfsync=ON",  # on a Mac FULL alone does not reach the disk
        ):
            connection.execute(f"PRAGMA {pragma}")
        if self._mode:
            _set_mode(connection, self._mode)

    def begin(self, kind: TransactionKind) -> AbstractContextManager[Connection]:
        """Begin a transaction. One that writes is the only one."""
        how = "IMMEDIATE" if kind == "write" else "DEFERRED"
        return self.engine.execution_options(arena_begin=how).begin()

    def alone(self, connection: Connection) -> None:
        """Do nothing: every transaction that writes is alone."""

    def refusal(self, error: exc.DBAPIError) -> ArenaError:
        """Return a UsageError if the file is not an SQLite file, else a StoreError."""
        is_other = code_of(error.orig) == sqlite3.SQLITE_NOTADB
        return (UsageError if is_other else StoreError)(f"store {quoted(self.name)}: {error.orig}")

    def lock(self, run: int, write: Write) -> RunLock:
        """Lock a run. Raises UsageError if another process has it."""
        return FileLock(self.path, self.name, run, write)

    def keep(self, work: Callable[[Connection, bool], T], write: Write) -> T:
        """Do work in a transaction. A file's answer is not lost."""
        with write() as connection:
            return work(connection, False)

    def damage(self, connection: Connection) -> Iterator[tuple[str, str]]:
        """Yield the damage of the file that SQLite finds."""
        for (problem,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if problem != "ok":
                yield "file", str(problem).partition("\n")[0]
        for table, *_ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield f"table {table}", "orphaned row"


#: SQLite's errors for a folder or a disk that it cannot write its log to.
_CANNOT_WRITE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
}


def cannot_write(error: StoreError) -> bool:
    """Return whether a store cannot be opened because nothing can be written there."""
    cause = error.__cause__
    return isinstance(cause, exc.DBAPIError) and code_of(cause.orig) in _CANNOT_WRITE


def code_of(error: BaseException | None) -> int:
    """Return SQLite's code for an error. The bits above it say more precisely where."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _url_to_read(path: Path) -> URL:
    """Return the URL by which SQLite opens a file without writing to it.

    SQLite takes the file as immutable, unless there is a log next to it: without that promise it
    makes files of its own, and with it, it would not read the log.
    """
    query = {"uri": "true", "mode": "ro"}
    if log_beside(path) is None:
        query["immutable"] = "1"
    return URL.create("sqlite", database=f"file:{quote(os.fsencode(path))}", query=query)


def log_beside(path: Path) -> Path | None:
    """Return the log with changes that are not in the file yet, or None."""
    for end in ("-wal", "-journal"):
        log = path.with_name(path.name + end)
        if os.path.exists(log) and os.path.getsize(log):
            return log
    return None


def _set_mode(connection: sqlite3.Connection, mode: str) -> None:
    """Set the journal mode. SQLite waits for everything but this change."""
    for attempts_left in reversed(range(MAX_BUSY_SECONDS * 100)):
        try:
            connection.execute(f"PRAGMA journal_mode={mode}")
            return
        except sqlite3.OperationalError as error:
            is_locked = code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_locked or not attempts_left:
                raise
            sleep(0.01)


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("arena_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


def file_system(path: Path) -> str:
    """Return the type of the file system of a path, such as ``ext4``. The result is empty if
    unknown.
    """
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    mount = ("", "")
    for line in mounts.splitlines():
        _, where, kind, *_ = line.split(" ")
        where = where.replace(r"\040", " ")
        if path.is_relative_to(where) and len(where) >= len(mount[0]):
            mount = (where, kind)
    return mount[1]
