"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from arena.records.solve import SolveReport
from arena.reports.page import Page, Table, page


@page.register
def _(report: SolveReport) -> Page:
    row = [report.game, report.position, report.to_move, report.value, report.plies, report.move]
    cells = ["-" if value is None else value for value in row]
    return [
        f"{report.game}: a {report.value} for the side to move",
        Table(["game", "position", "to move", "value", "plies", "move"], [cells]),
        f"solved by {report.method}: {report.positions} positions",
        *_certificate(report),
    ]


def _certificate(report: SolveReport) -> Page:
    if report.certificate is None:
        return []
    rows = [[each.claim, each.positions, each.moves] for each in report.claims]
    return [
        f"{report.certificate} proves it; arena certify --check {report.certificate} verifies that",
        Table(["proved", "positions", "recorded moves"], rows),
    ]
