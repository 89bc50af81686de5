"""Lay out lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from arena.records.listings import Details, Listing
from arena.reports.cells import cell, joined
from arena.reports.page import Block, Fine, MarkBoard, Page, Rows, Table, flat, page

#: A longer list of details is shown by its first few items.
MAX_DETAILS, FEW_DETAILS = 40, 12

#: The kinds of lists whose rows have a number in place of a name, and its key.
NUMBERED = {"runs": "run", "regression_runs": "run", "imports": "import"}


@page.register
def _listing_page(listing: Listing) -> Page:
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
    table = Table(headers, rows, keys=keys, names=names)
    return [*filter(None, [listing.title]), table, *_details(listing)]


def _details(listing: Listing) -> Iterator[Fine]:
    """Yield for each row that has a name or a number what the columns leave out."""
    number = NUMBERED.get(listing.kind, "")
    columns = {*listing.columns, "name", "options", number}
    for row in listing.rows:
        name = row.get("name") or (f"{number} {row[number]}" if number in row else "")
        values = {**row, **listing.details.get(name, {})}
        texts = {key: cell(value) for key, value in values.items() if key not in columns}
        facts = [f"{key.replace('_', ' ')} {text}" for key, text in texts.items() if text]
        if facts and name:
            yield Fine(f"{name}: {', '.join(facts)}")


@page.register
def _details_page(details: Details) -> Page:
    row = details.row
    cells = {name.replace("_", " "): cell(_short(row[name])) for name in details.columns}
    table = Table(["", details.title], [[name, text] for name, text in cells.items() if text != ""])
    return [table, *[MarkBoard(details.picture)][: bool(details.picture)]]


def _short(value: object) -> object:
    """Leave out most of a long list, which JSON has as a whole."""
    if not isinstance(value, list) or len(value) <= MAX_DETAILS:
        return value
    return [*value[:FEW_DETAILS], f"and {len(value) - FEW_DETAILS} more"]


@flat.register
def _listing_rows(listing: Listing) -> Rows:
    rows = listing.rows
    keys = list(dict.fromkeys(chain.from_iterable(rows))) if rows else list(listing.columns)
    return [keys, *([joined(row.get(key)) for key in keys] for row in rows)]


@flat.register
def _details_rows(details: Details) -> Rows:
    return [list(details.row), list(map(joined, details.row.values()))]
