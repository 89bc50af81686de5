"""Lay out a report: its results one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from arena.model.columns import flat_rows
from arena.records.base import Record
from arena.records.reports import EntrantReport, EntrantResult, Report
from arena.reports.cells import Cell, payoff_cell
from arena.reports.columns.fights import BY_SIDE
from arena.reports.page import Block, Page, Rows, Table, flat, page
from arena.reports.pages.leaderboards import leaderboard_facts, leaderboard_table


@page.register
def _report_page(report: Report) -> Page:
    parts: list[str | Table | Block] = []
    for part in report.parts:
        parts += [f"{part.name}:", *page(part.result)]
        parts += [
            f"alike at {alike.positions} shared positions or more: {', '.join(alike.players)}"
            for alike in part.identical
        ]
    board = report.leaderboard
    if board is not None:
        parts = ["All games:", leaderboard_table(board), leaderboard_facts(board), *parts]
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
    parts = [Table(headers, rows)] if rows else []
    return [f"{report.player}:", *parts, *_tables(report)]


def _tables(report: EntrantReport) -> Page:
    """Return the tables of an entrant, if it sat at any."""
    at_tables: list[list[Cell]] = []
    units: set[str] = set()
    for part in report.parts:
        assert isinstance(part.result, EntrantResult)
        for each in part.result.tables:
            others = ", ".join(name for name in each.players if name != each.row.player)
            paid = payoff_cell(each.row.payoff, each.table.least < 0)
            place = "-" if each.row.place is None else f"{each.row.place:.2f}"
            at_tables.append([part.name, others, each.row.games, paid, place])
            units.add(f"{each.table.unit} per game")
    headers = ["from", "with", "games", units.pop() if len(units) == 1 else "payoff", "place"]
    return [Table(headers, at_tables)] if at_tables else []


@flat.register
def _report_rows(report: Report) -> Rows:
    rows = [{"from": part.name, **row} for part in report.parts for row in _rows_of(part.result)]
    has_pairs = not rows or any("a" in row for row in rows)
    [of_pairs] = flat_rows(BY_SIDE[1:], [])
    keys = list(dict.fromkeys(["from", *of_pairs[: len(of_pairs) * has_pairs], *chain(*rows)]))
    return [keys, *([row.get(key) for key in keys] for row in rows)]


def _rows_of(result: Record) -> Iterator[dict[str, object]]:
    """Yield the rows of a result as its own CSV has them, of a fight the total alone."""
    header, *rows = flat(result)
    for values in rows:
        named = dict(zip(map(str, header), values, strict=True))
        if named.pop("a_moves", "total") == "total":
            yield named
