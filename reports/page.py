"""A page: what is shown of a record, whatever it is printed as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from arena.records.base import Record
from arena.reports.cells import Cell


@dataclass(frozen=True)
class Table:
    """Cells under headers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Block:
    """Several lines whose columns matter, such as a board."""

    text: str


#: Lines of text, tables, and blocks, from top to bottom.
Page = Sequence[str | Table | Block]


@singledispatch
def page(record: Record) -> Page:
    """The page of a record; each kind's is in ``pages``."""
    raise TypeError(f"no page for a {type(record).__name__}")
