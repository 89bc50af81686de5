"""Show a record that has no page of its own: the lines and tables of every format."""

from __future__ import annotations

import re
from typing import Any

from arena.records.base import Record
from arena.records.history import History
from arena.records.listings import Listing
from arena.reports.page import Block, Table, page
from arena.reports.tables import is_number


def title_of(record: Record) -> str:
    """Return what kind of record it is, in words.

    >>> title_of(Listing("runs", (), ())), title_of(History("monkey", ()))
    ('Runs', 'History of monkey')
    """
    if isinstance(record, History):
        return f"History of {record.player}"
    if isinstance(record, Listing):
        return record.kind.capitalize()
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(record).__name__).split()
    return " ".join([words[0], *(word.lower() for word in words[1:])])


def parts(record: Record) -> dict[str, Any]:
    """Return what the template gets: each part of the page with its kind."""
    return {"parts": [part_for_template(part) for part in page(record)]}


def part_for_template(part: str | Table | Block) -> tuple[str, Any]:
    """Return the kind of a part, and what the template shows of it."""
    if isinstance(part, Block):
        return "block", part.text
    if not isinstance(part, Table):
        return "line", part
    columns = list(zip(*part.rows, strict=True)) or [()] * len(part.headers)
    aligned = ["number" if column and is_number(column) else "text" for column in columns]
    return "table", {
        "headers": list(zip(part.headers, aligned, strict=True)),
        "rows": [list(zip(row, aligned, strict=True)) for row in part.rows],
    }
