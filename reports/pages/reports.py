"""Lay out a report: its results one after the other."""

from __future__ import annotations

from arena.model.columns import flat_rows
from arena.records.reports import EntrantReport, EntrantResult, Report
from arena.reports.cells import Cell
from arena.reports.columns.fights import BY_SIDE, side_results
from arena.reports.names import fights_of
from arena.reports.page import Block, Page, Rows, Table, flat, page


@page.register
def _report_page(report: Report) -> Page:
    parts: list[str | Table | Block] = []
    for part in report.parts:
        parts += [f"{part.name}:", *page(part.result)]
        parts += [
            f"alike at {alike.positions} shared positions or more: {', '.join(alike.players)}"
            for alike in part.identical
        ]
    return [*parts, *(f"left out: {reason}" for reason in report.left_out)]


@page.register
def _entrant_report_page(report: EntrantReport) -> Page:
    rows: list[list[Cell]] = []
    for part in report.parts:
        assert isinstance(part.result, EntrantResult)
        for each in part.result.fights:
            view = each.fight if each.fight.a.name == report.player else each.fight.reversed()
            total = view.total
            counts = [total.games, total.wins, total.draws, total.losses]
            rows.append([part.name, view.b.name, *counts])
    headers = ["from", "against", "games", "wins", "draws", "losses"]
    return [f"{report.player}:", Table(headers, rows)]


@flat.register
def _report_rows(report: Report) -> Rows:
    columns = BY_SIDE[1:]
    header, *_ = flat_rows(columns, [])
    rows = [
        [part.name, *flat_rows(columns, [side_results(fight)[-1]])[1]]
        for part in report.parts
        for fight in fights_of(part.result)
    ]
    return [["from", *header], *rows]
