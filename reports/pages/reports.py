"""Lay out a report: its results one after the other."""

from __future__ import annotations

from arena.records.reports import EntrantReport, Report
from arena.reports.cells import Cell
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
def _(report: EntrantReport) -> Page:
    rows: list[list[Cell]] = []
    for part in report.parts:
        for fight in part.result.as_json()["fights"]:
            side = fight["players"].index(report.player)
            tally = [fight["total"][key] for key in ("wins", "draws", "losses")]
            mine = tally[::-1] if side else tally
            rows.append([part.name, fight["players"][1 - side], fight["games"], *mine])
    headers = ["from", "against", "games", "wins", "draws", "losses"]
    return [f"{report.player}:", Table(headers, rows)]
