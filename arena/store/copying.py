"""Copy the runs, nights and imports of a store to another one, each whole and read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, Text, insert, select

from arena.errors import StoreError, UsageError, quoted
from arena.records.base import Json
from arena.records.copies import BUSY, COPIED, KNOWN, Copied
from arena.store import schema
from arena.store.sql import Store

#: Rows that are read and written at a time.
_AT_ONCE = 1000


class Kind(NamedTuple):
    """A kind of part: its table, and the table whose rows are counted."""

    name: str
    table: Table
    counted: Table

    @property
    def tables(self) -> list[Table]:
        """The tables with rows of such a part, each after those that it refers to."""
        return [table for table in schema.metadata.sorted_tables if self.name in table.c]


KINDS = (
    Kind("run", schema.runs, schema.games),
    Kind("night", schema.nights, schema.checks),
    Kind("import", schema.imports, schema.imported),
)


class Content(NamedTuple):
    """What a part has, whatever its number is."""

    digest: str
    size: int


def copy(source: Store, target: Store) -> Iterator[Copied]:
    """Copy all that a store has and the other one lacks, each part in a transaction of its own.

    A part that is there already, identical, is left as it is; so is a run that a process plays.
    Raises StoreError if a store fails, or what was written is not what is read back.
    """
    for kind in KINDS:
        with source.read() as connection:
            ids = select(kind.table.c.id).order_by(kind.table.c.id)
            numbers = connection.execute(ids).scalars().all()
        for number in numbers:
            yield _copied(source, target, kind, number)


def _copied(source: Store, target: Store, kind: Kind, number: int) -> Copied:
    with ExitStack() as stack:
        if kind.name == "run":
            try:
                with suppress(StoreError):  # where nothing can be written, nobody plays
                    stack.enter_context(source.lock(number))
            except UsageError:
                return Copied(kind.name, number, None, BUSY, 0)
        reading = stack.enter_context(source.read())
        content = content_of(reading, kind, number)
        writing = stack.enter_context(target.write())
        target.alone(writing)
        for other in _alike(reading, writing, kind, number):
            if content_of(writing, kind, other) == content:
                return Copied(kind.name, number, other, KNOWN, content.size)
        added = _insert(reading, writing, kind, number)
        if content_of(writing, kind, added) != content:
            problem = f"{kind.name} {number} is not read back as it was written"
            raise StoreError(f"store {quoted(target.name)}: {problem}")
    return Copied(kind.name, number, added, COPIED, content.size)


def content_of(connection: Connection, kind: Kind, number: int) -> Content:
    """Return a digest of a part, and the size that a report tells."""
    digest, size = blake2b(digest_size=16), 0
    digest.update(repr(_head(connection, kind, number)).encode())
    for table in kind.tables:
        digest.update(f"\n{table.name}\n".encode())
        for row in _rows(connection, kind, table, number):
            size += table is kind.counted
            digest.update(repr([row[name] for name in sorted(row)]).encode())
    return Content(digest.hexdigest(), size)


def _head(connection: Connection, kind: Kind, number: int) -> Json:
    """Return the row of a part itself, without its number."""
    table = kind.table
    row = connection.execute(select(table).where(table.c.id == number)).one()
    return {name: value for name, value in _named(row).items() if name != "id"}


def _rows(connection: Connection, kind: Kind, table: Table, number: int) -> Iterator[Json]:
    """Yield the rows of a part in one table, in the order of their keys, without its number."""
    mine = select(table).where(table.c[kind.name] == number).order_by(*table.primary_key)
    for row in connection.execute(mine.execution_options(yield_per=_AT_ONCE)):
        yield {name: value for name, value in _named(row).items() if name != kind.name}


def _named(row: Row[Any]) -> Json:
    return dict(row._mapping)


def _alike(reading: Connection, writing: Connection, kind: Kind, number: int) -> list[int]:
    """Return the parts of the other store that began, or were kept, at the same time."""
    date = next(column for column in kind.table.c if type(column.type) is Text)
    when = _head(reading, kind, number)[date.name]
    found = writing.execute(select(kind.table.c.id).where(date == when)).scalars()
    return list(found)


def _insert(reading: Connection, writing: Connection, kind: Kind, number: int) -> int:
    """Insert a part under the next number of the other store, and return that."""
    added = writing.execute(insert(kind.table).values(**_head(reading, kind, number)))
    (new,) = added.inserted_primary_key or (0,)
    for table in kind.tables:
        rows = _rows(reading, kind, table, number)
        while part := [{kind.name: new, **row} for row in islice(rows, _AT_ONCE)]:
            writing.execute(insert(table), part)
    return int(new)
