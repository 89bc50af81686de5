"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from arena.errors import counted
from arena.features.solve.record import SolveReport
from arena.reports.cells import Cell
from arena.reports.page import Fine, Page, Table, page


@page.register
def _solve_report_page(report: SolveReport) -> Page:
    plies = "" if report.plies is None else f" in {counted(report.plies, 'move')}"
    move = [] if report.move is None else [f"a move that keeps it: {report.written or report.move}"]
    return [
        f"{report.game}: a {report.value}{plies} for the {report.to_move} side, which is to move",
        f"from {report.position}",
        *move,
        f"solved by {report.method}: {report.positions} positions",
        *map(Fine, report.account),
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
