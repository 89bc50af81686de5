"""Lay tables out for the template of tables: those of pages, and those by declared columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.dataclass import dataclass
from arena.model.columns import Column, Row, visible
from arena.reports.html.charts import PICTURES
from arena.reports.page import Table
from arena.reports.tables import is_number

#: Characters of the longest text that stands on one line of a table, whatever the screen.
MAX_UNBROKEN = 36


class GridCell(NamedTuple):
    """A cell of a table: what it shows, and its class."""

    text: Any
    kind: str
    is_header: bool = False
    #: The address and the name of its target, for a cell that is a link.
    link: str = ""
    link_label: str = ""


@dataclass(frozen=True)
class Grid:
    """A table as its template shows it."""

    #: Its name for readers that do not see it.
    label: str
    #: The text of each header and its class.
    headers: Sequence[tuple[str, str]]
    #: The rows in groups.
    groups: Sequence[Sequence[Sequence[GridCell]]]
    is_sortable: bool = False


def grid_of_table(table: Table) -> Grid:
    """Return the grid of a table of a page, whose first column names its rows."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.headers)
    kinds = [_kind(column) for column in columns]
    rows = [
        [
            GridCell(text, kind, is_header=place == 0)
            for place, (text, kind) in enumerate(zip(row, kinds, strict=True))
        ]
        for row in table.rows
    ]
    return Grid("table", list(zip(table.headers, kinds, strict=True)), [rows])


def grid_of_rows(
    columns: Sequence[Column[Row]],
    groups: Sequence[Sequence[Row]],
    label: str,
    links: Mapping[str, Sequence[str | None]] | None = None,
    is_sortable: bool = True,
) -> Grid:
    """Return the grid of rows in groups by their columns.

    ``links`` has the address of each row for the column with its key.
    """
    rows = [row for group in groups for row in group]
    on_page = visible(columns, "html", rows)
    names = [[str(c.value(row)) for c in on_page if c.is_name] for row in rows]
    of_columns = [[*_cells(column, groups)] for column in on_page]
    for place, column in enumerate(on_page):
        addresses = (links or {}).get(column.key, ())
        for row, address in enumerate(addresses):
            cell = of_columns[place][row]
            if address:
                label_of = f"{cell.text} {column.header} of {' against '.join(names[row])}"
                of_columns[place][row] = cell._replace(link=address, link_label=label_of)
    headers = [
        ("" if column.picture else column.header, _header_kind(cells))
        for column, cells in zip(on_page, of_columns, strict=True)
    ]
    lines = iter(list(zip(*of_columns, strict=True)))
    return Grid(label, headers, [[next(lines) for _ in group] for group in groups], is_sortable)


def _cells(column: Column[Row], groups: Sequence[Sequence[Row]]) -> Iterator[GridCell]:
    """Yield the cells of a column. The pictures of a group have one scale."""
    if column.picture:
        draw, kind = PICTURES[column.picture]
        for group in groups:
            yield from (GridCell(svg, kind) for svg in draw([column.value(row) for row in group]))
        return
    texts = [column.cell(column.value(row)) for group in groups for row in group]
    if column.is_name:
        yield from (GridCell(text, _kind_of_texts(texts), is_header=True) for text in texts)
        return
    kind = _kind(texts)
    yield from (GridCell(with_minus(str(text)), kind) for text in texts)


def with_minus(text: str) -> str:
    """Return a text in which negative numbers have the sign of typesetters.

    >>> with_minus("-3 to 5")
    '\u22123 to 5'
    """
    return re.sub(r"(?<!\w)-(?=\d)", "\u2212", text)


def _header_kind(cells: Sequence[GridCell]) -> str:
    return cells[0].kind if cells else "text"


def _kind(column: Sequence[Any]) -> str:
    """Return the class of a column of cells."""
    return "number" if column and is_number(tuple(column)) else _kind_of_texts(column)


def _kind_of_texts(column: Sequence[Any]) -> str:
    """Return the class of a column of texts: long ones may break, so that a small screen fits."""
    return "wide" if any(len(str(cell)) > MAX_UNBROKEN for cell in column) else "text"
