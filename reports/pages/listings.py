"""Lay out lists."""

from __future__ import annotations

from arena.records.listings import Listing
from arena.reports.cells import cell
from arena.reports.page import Block, Page, Table, page


@page.register
def _(listing: Listing) -> Page:
    rows = [[cell(row[key]) for key in listing.columns] for row in listing.rows]
    parts: list[str | Table | Block] = [Table([c.replace("_", " ") for c in listing.columns], rows)]
    parts += [
        f"options of {row['name']}: {row['options']}" for row in listing.rows if row.get("options")
    ]
    if listing.broken:
        broken = [[cell(row["plugin"]), cell(row["error"])] for row in listing.broken]
        parts += ["Left out:", Table(["plugin", "error"], broken)]
    return parts
