"""Declare the columns of a kind of row once, for every format that has rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

Row = TypeVar("Row")

#: The formats with rows: ``page`` is text in a terminal and Markdown, ``csv`` the comma-separated
#: values and data frames of a record. ``sheet`` is what ``--table`` shows to people, and ``data``
#: what it gives to programs.
Format = Literal["page", "csv", "sheet", "data"]

#: The formats of a column that stands in all of them.
FORMATS: tuple[Format, ...] = ("page", "csv", "sheet", "data")


def dashed(value: Any) -> Any:
    """Return the value, or a dash for None."""
    return "-" if value is None else value


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A fact of each row."""

    #: The name in CSV and JSON.
    key: str
    value: Callable[[Row], Any]
    formats: tuple[Format, ...] = FORMATS
    #: Write the value as the cell of a page.
    cell: Callable[[Any], Any] = dashed
    #: Return whether a page has the column, by its values in all rows.
    is_worth: Callable[[Sequence[Any]], bool] = lambda _: True
    #: The name on a page; by default the key.
    title: str = ""

    @property
    def header(self) -> str:
        """The name for people."""
        return self.title or self.key.replace("_", " ")


def shown(columns: Iterable[Column[Row]], fmt: Format, rows: Sequence[Row]) -> list[Column[Row]]:
    """Return the columns of a format. Those of a page are worth their room."""
    return [
        column
        for column in columns
        if fmt in column.formats
        and (fmt != "page" or column.is_worth([column.value(row) for row in rows]))
    ]


def cells(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> list[list[Any]]:
    """Return the cells of each row on a page."""
    return [[column.cell(column.value(row)) for column in columns] for row in rows]


def flat_rows(columns: Iterable[Column[Row]], rows: Sequence[Row]) -> list[list[Any]]:
    """Return the header and the rows of CSV."""
    printed = shown(columns, "csv", rows)
    return [[column.key for column in printed], *([c.value(row) for c in printed] for row in rows)]


def keyed_rows(columns: Iterable[Column[Row]], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the values of each row for programs, by the keys of the columns."""
    written = shown(columns, "data", rows)
    return [{column.key: column.value(row) for column in written} for row in rows]
