"""Show a record without a page for HTML: the lines and tables of every format."""

from __future__ import annotations

import base64
import re
from functools import singledispatch
from html import unescape
from typing import Any

from arena.records.base import Record
from arena.records.history import History
from arena.records.listings import Listing
from arena.records.proofs import Certificate, ExactResult
from arena.reports.html.document import Section
from arena.reports.html.tables import grid_of_table
from arena.reports.page import Block, Page, Picture, Table, page


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


@singledispatch
def sections(_record: Record, tables: Section) -> list[Section]:
    """Return the sections of a record: its tables, as in any format.

    The kind of record of a feature may add pictures to them: the module ``html`` in the folder of
    the feature registers a function with ``@sections.register``.
    """
    return [tables]


def parts(record: Record) -> dict[str, Any]:
    """Return the values of the template: each part of the page with its kind."""
    return {"parts": parts_for_template(page(record))}


def parts_for_template(parts: Page) -> list[tuple[str, Any]]:
    """Return the parts for the template. Boards that follow each other stand side by side."""
    for_template: list[tuple[str, Any]] = []
    for part in parts:
        if not isinstance(part, Block) or not part.pictures:
            for_template.append(part_for_template(part))
            continue
        pictures = [(_address(each.svg), _title(each), each.caption) for each in part.pictures]
        if for_template and for_template[-1] == ("line", part.pictures[0].caption):
            for_template.pop()
        if for_template and for_template[-1][0] == "pictures":
            for_template[-1][1].extend(pictures)
        else:
            for_template.append(("pictures", pictures))
    return for_template


def _address(svg: str) -> str:
    """Return a picture as an address, of which a browser runs nothing."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode(errors="replace")).decode()


def _title(picture: Picture) -> str:
    """Return the title of a picture, for readers that do not see it."""
    title = re.search(r"<title>([^<]*)</title>", picture.svg)
    return unescape(title[1]) if title else picture.caption


def part_for_template(part: str | Table | Block) -> tuple[str, Any]:
    """Return the kind of a part, and its value for the template."""
    if isinstance(part, Block):
        return "block", part.text
    if not isinstance(part, Table):
        return "line", part
    return "table", grid_of_table(part)
