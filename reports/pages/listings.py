"""Lay out lists."""

from __future__ import annotations

from itertools import chain

from arena.records.listings import Details, Listing
from arena.reports.cells import cell
from arena.reports.page import Block, Board, Page, Table, page

#: A longer list of details is shown by its first few items.
MOST, FEW = 40, 12


@page.register
def _(listing: Listing) -> Page:
    parts = _table(listing)
    parts += [
        f"options of {row['name']}: {row['options']}" for row in listing.rows if row.get("options")
    ]
    if listing.broken:
        broken = [[cell(row["plugin"]), cell(row["error"])] for row in listing.broken]
        parts += ["Left out:", Table(["plugin", "error"], broken)]
    return [*parts, *chain.from_iterable(_table(other) for other in listing.more if other.rows)]


def _table(listing: Listing) -> list[str | Table | Block]:
    rows = [[cell(row[key]) for key in listing.columns] for row in listing.rows]
    headers = [column.replace("_", " ") for column in listing.columns]
    names = headers.index("player") if "player" in headers else None
    keys = 2 if headers[:2] == ["a", "b"] else 0
    return [*filter(None, [listing.title]), Table(headers, rows, keys=keys, names=names)]


@page.register
def _(details: Details) -> Page:
    row = details.row
    shown = {name.replace("_", " "): cell(_short(row[name])) for name in details.columns}
    table = Table(["", details.title], [[name, text] for name, text in shown.items() if text != ""])
    return [table, *[Board(details.picture)][: bool(details.picture)]]


def _short(value: object) -> object:
    """Leave out most of a long list, which JSON has as a whole."""
    if not isinstance(value, list) or len(value) <= MOST:
        return value
    return [*value[:FEW], f"and {len(value) - FEW} more"]
