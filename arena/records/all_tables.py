"""Find the tables of any record, without the code for tables where it has none."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.base import Record
from arena.records.fought import Fought


def tables_of(record: Record) -> Sequence[Fought]:
    """Return the tables of a record of games for more than two. Another record has none."""
    if isinstance(record, Fought):
        return ()
    from arena.records.reports import EntrantResult  # a fight need not wait for these
    from arena.records.tables import TablesResult

    if isinstance(record, EntrantResult):
        return tuple(each.table for each in record.tables)
    return record.tables if isinstance(record, TablesResult) else ()
