"""Declare the columns of a kind of row once, for every format that has rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeVar

from arena.dataclass import dataclass

Row = TypeVar("Row")

#: The formats with rows: ``page`` is text in a terminal and Markdown, ``csv`` the comma-separated
#: values and data frames of a record, ``html`` its page for a browser. ``sheet`` is what
#: ``--table`` shows to people, and ``data`` what it gives to programs.
Format = Literal["page", "csv", "html", "sheet", "data"]

#: The formats of most columns: HTML has the tables of a page.
LISTED: tuple[Format, ...] = ("page", "csv")

#: Those of a column that is for programs alone.
CSV: tuple[Format, ...] = ("csv",)

#: The formats that leave out a column that is not worth its room.
NARROW: tuple[Format, ...] = ("page", "html")


def dashed(value: Any) -> Any:
    """Return the value, or a dash for None."""
    return "-" if value is None else value


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A fact of each row."""

    #: The name in CSV and JSON.
    key: str
    #: Return the value; by default the attribute of the key's name.
    get: Callable[[Row], Any] | None = None
    formats: tuple[Format, ...] = LISTED
    #: Write the value as the cell of a page.
    cell: Callable[[Any], Any] = dashed
    #: Return whether a page has the column, by its values in all rows.
    is_worth: Callable[[Sequence[Any]], bool] = lambda _: True
    #: The name on a page; by default the key.
    title: str | None = None
    #: Whether it names the player of the row.
    is_name: bool = False
    #: The name of the picture that HTML draws of the values in place of cells.
    picture: str = ""

    def value(self, row: Row) -> Any:
        """Return the fact of a row."""
        return getattr(row, self.key) if self.get is None else self.get(row)

    @property
    def header(self) -> str:
        """The name for people."""
        return self.key.replace("_", " ") if self.title is None else self.title


def visible(columns: Iterable[Column[Row]], fmt: Format, rows: Sequence[Row]) -> list[Column[Row]]:
    """Return the columns of a format. Those of a page are worth their room."""
    return [
        column
        for column in columns
        if fmt in column.formats
        and (fmt not in NARROW or column.is_worth([column.value(row) for row in rows]))
    ]


def cells(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> list[list[Any]]:
    """Return the cells of each row on a page."""
    return [[column.cell(column.value(row)) for column in columns] for row in rows]


def flat_rows(columns: Iterable[Column[Row]], rows: Sequence[Row], **same: Any) -> list[list[Any]]:
    """Return the header and the rows of CSV, which begin with what is the same in all of them."""
    in_csv = visible(columns, "csv", rows)
    header = [*same, *(column.key for column in in_csv)]
    return [header, *([*same.values(), *(c.value(row) for c in in_csv)] for row in rows)]


def keyed_rows(columns: Iterable[Column[Row]], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the values of each row for programs, by the keys of the columns."""
    in_data = visible(columns, "data", rows)
    return [{column.key: column.value(row) for column in in_data} for row in rows]
