"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from arena.errors import counted
from arena.records.solve import SolveReport
from arena.reports.page import Page, Table, page


@page.register
def _(report: SolveReport) -> Page:
    length = "" if report.plies is None else f" in {counted(report.plies, 'ply', 'plies')}"
    best = [] if report.move is None else [f"a move that keeps it: {report.move}"]
    return [
        f"{report.game} from {report.position}: a {report.value}{length} for the {report.to_move}"
        " side, which is to move",
        *best,
        f"solved by {report.method}: {report.positions:,} positions",
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
