"""A store's file: opening it, and transactions that are on disk when they are over.

SQLite in WAL mode with ``synchronous=FULL``, so that a commit survives the end of the process and
of the machine. Every transaction has a connection of its own: workers are forked while no
connection is open, and when the last one is closed SQLite moves the log into the file, which then
holds everything. Writers begin with ``BEGIN IMMEDIATE``: a transaction that reads first and then
wants to write would fail at once when another arena writes to the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, NullPool, create_engine, event, exc

from arena.clock import pause
from arena.errors import StoreError, UsageError, quoted
from arena.executors.endings import ended_undisturbed
from arena.files import located
from arena.store import schema

#: Seconds to wait for another arena that writes to the same file.
PATIENCE = 10

#: File systems whose locks and shared memory SQLite's log cannot rely on.
NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs")


class Store:
    """A store of results. It is brought to this arena's version when it is opened.

    UsageError if there is no such file and ``create`` is false, or it is something else;
    StoreError if the machine does not let it be read or written. With ``read_only`` nothing is
    written, not even beside the file; see :func:`open_to_read`.
    """

    def __init__(
        self, path: str | os.PathLike[str], create: bool = False, read_only: bool = False
    ) -> None:
        self.name = os.fspath(path)
        self.path = self._located(create)  # however it is named, one file has one lock
        #: The journal mode, once it is known that the file is a store: it would change another's.
        self._mode = ""
        self._engine = create_engine(
            _url_to_read(self.path) if read_only else URL.create("sqlite", database=str(self.path)),
            poolclass=NullPool,
            connect_args={"timeout": PATIENCE},
        )
        event.listen(self._engine, "connect", self._connected)
        event.listen(self._engine, "begin", _begin)
        try:
            self._begin_with(read_only)
        except schema.NoStore as error:
            raise UsageError(f"store {quoted(self.name)}: {error}") from error

    def _located(self, create: bool) -> Path:
        try:
            path = located(self.name)
        except UsageError as error:
            raise UsageError(f"store {quoted(self.name)}: {error}") from error
        if os.path.isdir(path):
            raise UsageError(f"store {quoted(self.name)} is a folder")
        if not os.path.exists(path):  # which is False, too, for an impossible name
            if not create:
                raise UsageError(f"store {quoted(self.name)}: there is no such file")
            if not os.path.isdir(path.parent):
                raise UsageError(f"store {quoted(self.name)}: its folder does not exist")
        elif not os.path.isfile(path):  # SQLite would put its log beside a device
            raise UsageError(f"store {quoted(self.name)} is not a file")
        return path

    def _begin_with(self, read_only: bool) -> None:
        with self.read() as connection:
            current = schema.is_current(connection)
        if read_only:
            if not current:
                problem = "an older arena's, and cannot be brought up to date where it is"
                raise StoreError(f"store {quoted(self.name)} is {problem}")
            return
        self._mode = "DELETE" if file_system(self.path) in NETWORK else "WAL"
        if not current:
            with self.write() as connection:
                schema.migrate(connection)

    def _connected(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun here, not by the driver
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            "fullfsync=ON",  # on a Mac FULL alone does not reach the disk
        ):
            connection.execute(f"PRAGMA {pragma}")
        if self._mode:
            _set_mode(connection, self._mode)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that nobody else's can come between; on disk when it is over."""
        with self._transaction("IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees the store as it is at its first look, whoever writes on."""
        with self._transaction("DEFERRED") as connection:
            yield connection

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[Connection]:
        try:
            begun = self._engine.execution_options(arena_begin=kind).begin()
            with ended_undisturbed(begun) as connection:
                yield connection
        except exc.DBAPIError as error:
            is_other = _code_of(error.orig) == sqlite3.SQLITE_NOTADB
            refused = UsageError if is_other else StoreError
            raise refused(f"store {quoted(self.name)}: {error.orig}") from error
        except UnicodeDecodeError as error:  # SQLite repeats names of a spoilt file as they are
            raise StoreError(f"store {quoted(self.name)}: it is damaged: not UTF-8") from error
        except schema.Unreadable as error:
            raise StoreError(f"store {quoted(self.name)}: {error}; see: arena verify") from error


def open_to_read(path: str | os.PathLike[str]) -> Store:
    """Open a store of which nothing is to be changed, also where nothing can be written.

    Raises UsageError and StoreError as :class:`Store` does.
    """
    try:
        return Store(path)
    except StoreError as error:
        if not _cannot_write(error):
            raise
    try:
        return Store(path, read_only=True)
    except StoreError as error:
        if log := _log_beside(located(path)):
            problem = f"its last changes are in {quoted(log.name)}, where nothing can be written"
            advice = "copy both to another folder"
            raise StoreError(f"store {quoted(os.fspath(path))}: {problem}; {advice}") from error
        raise


#: What SQLite says of a folder or a disk that it cannot write its log to.
_CANNOT_WRITE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
}


def _cannot_write(error: StoreError) -> bool:
    cause = error.__cause__
    return isinstance(cause, exc.DBAPIError) and _code_of(cause.orig) in _CANNOT_WRITE


def _code_of(error: BaseException | None) -> int:
    """Return SQLite's code for an error; the bits above it say more precisely where."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _url_to_read(path: Path) -> URL:
    """Return how SQLite opens a file that it does not write to.

    It takes the file for one that nobody changes, unless there is a log beside it: without that
    promise SQLite makes files of its own, and with it, it would not read the log.
    """
    query = {"uri": "true", "mode": "ro"}
    if _log_beside(path) is None:
        query["immutable"] = "1"
    return URL.create("sqlite", database=f"file:{quote(os.fsencode(path))}", query=query)


def _log_beside(path: Path) -> Path | None:
    """Return the log with what was written and is not in the file yet; None if there is none."""
    for end in ("-wal", "-journal"):
        log = path.with_name(path.name + end)
        if os.path.exists(log) and os.path.getsize(log):
            return log
    return None


def _set_mode(connection: sqlite3.Connection, mode: str) -> None:
    """Set the journal mode; for the change SQLite does not wait, as it does for everything else."""
    for attempts_left in reversed(range(PATIENCE * 100)):
        try:
            connection.execute(f"PRAGMA journal_mode={mode}")
            return
        except sqlite3.OperationalError as error:
            is_locked = _code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_locked or not attempts_left:
                raise
            pause(0.01)


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("arena_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {kind}")


def file_system(path: Path) -> str:
    """The type of the file system that a path is on, such as ``ext4``; empty if it is not told."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    found = ("", "")
    for line in mounts.splitlines():
        _, where, kind, *_ = line.split(" ")
        where = where.replace(r"\040", " ")
        if path.is_relative_to(where) and len(where) >= len(found[0]):
            found = (where, kind)
    return found[1]
