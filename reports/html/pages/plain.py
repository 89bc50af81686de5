"""Show a record that has no page of its own: the lines and tables of every format."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import unescape
from typing import Any

from arena.records.base import Record
from arena.records.history import History
from arena.records.listings import Listing
from arena.records.proofs import Certificate, ExactResult
from arena.reports.page import Block, Page, Picture, Table, page
from arena.reports.tables import is_number

#: Characters of the longest text that stands on one line of a table, whatever the screen.
MAX_UNBROKEN = 36


def title_of(record: Record) -> str:
    """Return what kind of record it is, in words.

    >>> title_of(Listing("runs", (), ())), title_of(History("monkey", ()))
    ('Runs', 'History of monkey')
    """
    if isinstance(record, History):
        return f"History of {record.player}"
    if isinstance(record, Certificate):
        return f"Certificate of {record.player} at {record.game}"
    if isinstance(record, ExactResult):
        return f"{record.players[0]} against {record.players[1]} at {record.game}, exactly"
    if isinstance(record, Listing):
        return record.kind.capitalize()
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(record).__name__).split()
    return " ".join([words[0], *(word.lower() for word in words[1:])])


def parts(record: Record) -> dict[str, Any]:
    """Return what the template gets: each part of the page with its kind."""
    return {"parts": parts_for_template(page(record))}


def parts_for_template(parts: Page) -> list[tuple[str, Any]]:
    """Return the parts for the template; boards that follow each other stand side by side."""
    found: list[tuple[str, Any]] = []
    for part in parts:
        if not isinstance(part, Block) or not part.pictures:
            found.append(part_for_template(part))
            continue
        drawn = [(_address(own.svg), _title(own), own.caption) for own in part.pictures]
        if found and found[-1] == ("line", part.pictures[0].caption):
            found.pop()
        if found and found[-1][0] == "pictures":
            found[-1][1].extend(drawn)
        else:
            found.append(("pictures", drawn))
    return found


def _address(svg: str) -> str:
    """Return a picture as an address: a browser runs nothing of it, wherever it comes from."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode(errors="replace")).decode()


def _title(picture: Picture) -> str:
    """Return the title of a picture, for readers that do not see it."""
    found = re.search(r"<title>([^<]*)</title>", picture.svg)
    return unescape(found[1]) if found else picture.caption


def _kind(column: Sequence[object]) -> str:
    """Return the style of a column of texts: long ones may break, so that a small screen fits."""
    return "wide" if any(len(str(cell)) > MAX_UNBROKEN for cell in column) else "text"


def part_for_template(part: str | Table | Block) -> tuple[str, Any]:
    """Return the kind of a part, and what the template shows of it."""
    if isinstance(part, Block):
        return "block", part.text
    if not isinstance(part, Table):
        return "line", part
    columns = list(zip(*part.rows, strict=True)) or [()] * len(part.headers)
    aligned = ["number" if column and is_number(column) else _kind(column) for column in columns]
    return "table", {
        "headers": list(zip(part.headers, aligned, strict=True)),
        "rows": [list(zip(row, aligned, strict=True)) for row in part.rows],
    }
