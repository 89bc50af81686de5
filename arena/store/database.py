"""Define the interface of the database that keeps a store: SQLite or PostgreSQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Literal

from sqlalchemy import Connection, Engine, Table, exc, insert, select

from arena.errors import ArenaError
from arena.records.base import Json
from arena.store.lock import RunLock, T

#: A transaction that writes, or one that sees the store as it is at its first read.
TransactionKind = Literal["write", "read"]

#: Begins a transaction that writes.
Write = Callable[[], AbstractContextManager[Connection]]


def add_if_new(connection: Connection, table: Table, row: Json) -> None:
    """Insert a row, unless the table has one with its key, in a run that is locked."""
    same = (column == row[column.name] for column in table.primary_key)
    if connection.execute(select(table).where(*same)).first() is None:
        connection.execute(insert(table).values(row))


class Database(ABC):
    """A database for one store, by its name in messages, which never has a password."""

    name: str
    engine: Engine

    @abstractmethod
    def begin(self, kind: TransactionKind) -> AbstractContextManager[Connection]:
        """Begin a transaction."""

    @abstractmethod
    def accept(self, version: int, create: bool) -> None:
        """Take the database, whose schema has this version, as a store.

        Raises NoStore if it has none, and it may not ``create`` one.
        """

    @abstractmethod
    def alone(self, connection: Connection) -> None:
        """Let a transaction that writes wait for every other one that asks for the same."""

    @abstractmethod
    def refusal(self, error: exc.DBAPIError) -> ArenaError:
        """Return the error that arena raises for one of the database."""

    @abstractmethod
    def lock(self, run: int, write: Write) -> RunLock:
        """Lock a run. ``write`` is the store's own. Raises UsageError if another process has it."""

    @abstractmethod
    def keep(self, work: Callable[[Connection, bool], T], write: Write) -> T:
        """Do work in a transaction outside of runs, as :meth:`RunLock.keep` does in one."""

    @abstractmethod
    def damage(self, connection: Connection) -> Iterator[tuple[str, str]]:
        """Yield the damage that the database itself finds: where, and the problem."""
