"""Open a store, and make transactions that are on disk when they end.

A store is a file (:mod:`arena.store.sqlite`) or a database on a server
(:mod:`arena.store.postgres`). All else is the same for both.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Table, exc, func, insert, select

from arena.errors import StoreError, UsageError, quoted
from arena.executors.endings import ended_undisturbed
from arena.files import located
from arena.store import schema
from arena.store.database import Database, TransactionKind
from arena.store.lock import RunLock, T
from arena.store.sqlite import SqliteFile, cannot_write, log_beside
from arena.urls import is_url


class Store:
    """A store of results, migrated to this arena's version when it is opened.

    Its name is that of a file, or the URL of a database. Raises UsageError if there is no such
    store and ``create`` is false, or it is not a store. Raises StoreError if the machine or the
    server denies reading or writing. ``read_only`` is for files. See :func:`open_to_read`.
    """

    def __init__(
        self, named: str | os.PathLike[str], create: bool = False, read_only: bool = False
    ) -> None:
        self.database = _database(os.fspath(named), create, read_only)
        #: How messages, records and addresses name it: without a password.
        self.name = self.database.name
        try:
            self._begin_with(create)
        except schema.Outdated as error:
            command = f"arena export {shlex.quote(self.name)} --output runs.json"
            problem = f"an older arena made it; export its runs with that arena: {command}"
            raise UsageError(f"store {quoted(self.name)}: {problem}") from error
        except schema.NoStore as error:
            raise UsageError(f"store {quoted(self.name)}: {error}") from error

    def _begin_with(self, create: bool) -> None:
        with self.read() as connection:
            version = schema.version_of(connection)
        self.database.accept(version, create)
        if not schema.is_current(version):
            with self.write() as connection:
                self.alone(connection)
                schema.migrate(connection)

    def alone(self, connection: Connection) -> None:
        """Let a transaction that writes wait for every other one that asks for the same."""
        self.database.alone(connection)

    def insert_next(self, connection: Connection, table: Table, **values: Any) -> int:
        """Insert a row under the number after the last one, and return that number.

        A server's own counter jumps after each restart. Others that number rows wait until the
        transaction ends.
        """
        self.alone(connection)
        last: int | None = connection.execute(select(func.max(table.c.id))).scalar_one()
        connection.execute(insert(table).values(id=(last or 0) + 1, **values))
        return (last or 0) + 1

    def lock(self, run: int) -> RunLock:
        """Lock a run. Raises UsageError if another process plays it."""
        return self.database.lock(run, self.write)

    def keep(self, work: Callable[[Connection, bool], T]) -> T:
        """Do work in a transaction that is on disk when this returns.

        If the connection was lost, the work is done again with True as its second argument: the
        store may have what it wrote.
        """
        return self.database.keep(work, self.write)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Begin a transaction that writes. It is on disk when it ends."""
        with self._transaction("write") as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Begin a transaction that sees the store as it is at its first read."""
        with self._transaction("read") as connection:
            yield connection

    @contextmanager
    def _transaction(self, kind: TransactionKind) -> Iterator[Connection]:
        try:
            with ended_undisturbed(self.database.begin(kind)) as connection:
                yield connection
        except exc.DBAPIError as error:
            raise self.database.refusal(error) from error
        except UnicodeDecodeError as error:  # SQLite repeats names of a damaged file as they are
            raise StoreError(f"store {quoted(self.name)}: it is damaged: not UTF-8") from error
        except schema.Unreadable as error:
            raise StoreError(f"store {quoted(self.name)}: {error}; see: arena verify") from error


def _database(name: str, create: bool, read_only: bool) -> Database:
    if not is_url(name):
        return SqliteFile(name, create, read_only)
    from arena.store.postgres import PostgresServer

    return PostgresServer(name)


def open_to_read(named: str | os.PathLike[str]) -> Store:
    """Open a store for reading only, even where nothing can be written.

    Raises UsageError and StoreError as :class:`Store` does.
    """
    try:
        return Store(named)
    except StoreError as error:
        if not cannot_write(error):
            raise
    try:
        return Store(named, read_only=True)
    except StoreError as error:
        if log := log_beside(located(named)):
            problem = f"its last changes are in {quoted(log.name)}, where nothing can be written"
            advice = "copy both to another folder"
            raise StoreError(f"store {quoted(os.fspath(named))}: {problem}; {advice}") from error
        raise
