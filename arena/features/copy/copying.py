"""Copy runs, regression runs, imports and contests from store to store, and read them back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Float,
    Integer,
    LargeBinary,
    Row,
    Table,
    Text,
    insert,
    select,
)

from arena.errors import StoreError, UsageError, quoted
from arena.features.copy.record import COPIED, PRESENT, CopiedPart
from arena.proof import progress
from arena.records.base import Json
from arena.store import schema
from arena.store.columns import AnyText
from arena.store.schema import Unreadable
from arena.store.sql import Store

#: The types of the values of columns: SQLite keeps any value in any column.
_KINDS: dict[type, type | tuple[type, ...]] = {
    Integer: int,
    Float: (int, float),
    Text: str,
    AnyText: str,
}

#: Rows that are read and written at a time; and of those that have the content of a file.
_AT_ONCE, _FILES_AT_ONCE = 1000, 8


class PartKind(NamedTuple):
    """A kind of part: its table, the table whose rows are counted, and what refers to a part."""

    name: str
    table: Table
    counted: Table
    column: str

    @property
    def tables(self) -> list[Table]:
        """The tables with rows of such a part, each after those that it refers to."""
        return [table for table in schema.metadata.sorted_tables if self.column in table.c]


COPIED_KINDS = (
    PartKind("run", schema.runs, schema.games, "run"),
    PartKind("regression run", schema.regression_runs, schema.checks, "regression_run"),
    PartKind("import", schema.imports, schema.imported, "import"),
    PartKind("contest", schema.conducted, schema.hand_ins, "contest"),
)


class Content(NamedTuple):
    """The content of a part, whatever its number is."""

    digest: str
    size: int


def copy(source: Store, target: Store) -> Iterator[CopiedPart]:
    """Copy all that a store has and the other one lacks, each part in a transaction of its own.

    All is as it is at one moment, of a run that a process plays and of a contest too. A part that
    is there already, identical, is left as it is. Raises StoreError if a store fails, or what was
    written is not what is read back.
    """
    with source.read() as reading:
        for kind in COPIED_KINDS:
            ids = select(kind.table.c.id).order_by(kind.table.c.id)
            for number in reading.execute(ids).scalars().all():
                copied = _copy_part(reading, target, kind, number)
                is_played = kind.name == "run" and _is_played(source, number)
                yield replace(copied, is_played=is_played)


def _is_played(source: Store, number: int) -> bool:
    """Return whether a process plays a run. Where nothing can be written, none does."""
    try:
        with suppress(StoreError):
            source.lock(number).release()
    except UsageError:
        return True
    return False


def _copy_part(reading: Connection, target: Store, kind: PartKind, number: int) -> CopiedPart:
    content = content_of(reading, kind, number)
    with target.write() as writing:
        target.alone(writing)
        for other in _alike(reading, writing, kind, number):
            if content_of(writing, kind, other) == content:
                return CopiedPart(kind.name, number, other, PRESENT, content.size)
        added = _insert(reading, target, writing, kind, number)
        if content_of(writing, kind, added) != content:
            problem = f"{kind.name} {number} is not read back as it was written"
            raise StoreError(f"store {quoted(target.name)}: {problem}")
    return CopiedPart(kind.name, number, added, COPIED, content.size)


def content_of(connection: Connection, kind: PartKind, number: int) -> Content:
    """Return a digest of a part, and the size that a report tells."""
    digest, size = blake2b(digest_size=16), 0
    digest.update(repr(_head(connection, kind, number)).encode())
    for table in kind.tables:
        digest.update(f"\n{table.name}\n".encode())
        for row in _rows(connection, kind, table, number):
            size += table is kind.counted
            digest.update(repr([row[name] for name in sorted(row)]).encode())
    return Content(digest.hexdigest(), size)


def _head(connection: Connection, kind: PartKind, number: int) -> Json:
    """Return the row of a part itself, without its number."""
    table = kind.table
    row = connection.execute(select(table).where(table.c.id == number)).one()
    return {name: value for name, value in _row_json(table, row).items() if name != "id"}


def _rows(connection: Connection, kind: PartKind, table: Table, number: int) -> Iterator[Json]:
    """Yield the rows of a part in one table, in the order of their keys, without its number."""
    what = f"rows of {kind.name} {number} read"
    query = select(table).where(table.c[kind.column] == number).order_by(*table.primary_key)
    rows = connection.execute(query.execution_options(yield_per=_at_once(table)))
    for done, row in enumerate(rows, 1):
        progress.tell(done, None, what)
        yield {name: value for name, value in _row_json(table, row).items() if name != kind.column}


def _at_once(table: Table) -> int:
    has_files = any(isinstance(column.type, LargeBinary) for column in table.c)
    return _FILES_AT_ONCE if has_files else _AT_ONCE


def _row_json(table: Table, row: Row[Any]) -> Json:
    """Return the values of a row. Raises Unreadable for one that its column is not for."""
    values = dict(row._mapping)
    for column in table.c:
        value, kind = values[column.name], _KINDS.get(type(column.type))
        if kind is not None and value is not None and not isinstance(value, kind):
            raise Unreadable(f"{table.name}: {column.name} is {value!r}")
    return values


def _alike(reading: Connection, writing: Connection, kind: PartKind, number: int) -> list[int]:
    """Return the parts of the other store that began, or were kept, at the same time."""
    date = next(column for column in kind.table.c if type(column.type) is Text)
    when = _head(reading, kind, number)[date.name]
    numbers = writing.execute(select(kind.table.c.id).where(date == when)).scalars()
    return list(numbers)


def _insert(
    reading: Connection, target: Store, writing: Connection, kind: PartKind, number: int
) -> int:
    """Insert a part under the next number of the other store, and return that."""
    new = target.insert_next(writing, kind.table, **_head(reading, kind, number))
    for table in kind.tables:
        rows = _rows(reading, kind, table, number)
        while part := [{kind.column: new, **row} for row in islice(rows, _at_once(table))]:
            writing.execute(insert(table), part)
    return new
