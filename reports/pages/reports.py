"""Lay out a report: its results one after the other."""

from __future__ import annotations

from arena.records.reports import ReadResult, Report
from arena.reports.page import Block, Page, Table, page


@page.register
def _(report: Report) -> Page:
    parts: list[str | Table | Block] = []
    for part in report.parts:
        parts += [f"{part.name}:", *page(part.result)]
        parts += [
            f"alike at {found.positions} shared positions or more: {', '.join(found.players)}"
            for found in part.identical
        ]
    return [*parts, *(f"left out: {reason}" for reason in report.left_out)]


@page.register
def _(found: ReadResult) -> Page:
    fights = found.json.get("fights", [found.json])
    rows = [[*fight["players"], fight["games"], *fight["total"].values()] for fight in fights]
    return [
        f"{found.json['game']}, from a file:",
        Table(["a", "b", "games", "wins", "draws", "losses"], rows),
    ]
