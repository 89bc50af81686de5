"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from arena.errors import counted
from arena.features.solve.record import SolveReport
from arena.reports.columns.proofs import CLAIM
from arena.reports.page import Fine, Page, Rows, declared_table, flat, page


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
    return [
        f"{report.certificate} proves it; arena certify --check {report.certificate} verifies that",
        declared_table(CLAIM, report.claims),
    ]


@flat.register
def _solve_report_rows(report: SolveReport) -> Rows:
    keys = report.KEYS.split()[:-2]  # arena certify --check shows the claims
    return [keys, [getattr(report, key) for key in keys]]
