"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from arena.records.solve import SolveReport
from arena.reports.cells import Cell
from arena.reports.page import Page, Table, page


@page.register
def _(report: SolveReport) -> Page:
    plies, move = "-" if report.plies is None else report.plies, report.move or "-"
    row: list[Cell] = [report.game, report.position, report.to_move, report.value, plies, move]
    return [
        f"{report.game}: a {report.value} for the side to move",
        Table(["game", "position", "to move", "value", "plies", "move"], [row]),
        f"solved by {report.method}: {report.positions} positions",
        *_certificate(report),
    ]


def _certificate(report: SolveReport) -> Page:
    if report.certificate is None:
        return []
    rows: list[list[Cell]] = [[each.claim, each.positions, each.moves] for each in report.claims]
    return [
        f"{report.certificate} proves it; arena certify --check {report.certificate} verifies that",
        Table(["proved", "positions", "recorded moves"], rows),
    ]
