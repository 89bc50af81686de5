"""Lay out solutions as rows."""

from __future__ import annotations

from arena.features.solve.record import SolveReport
from arena.reports.rows import Rows, flat


@flat.register
def _solve_report_rows(report: SolveReport) -> Rows:
    keys = report.KEYS.split()[:-2]  # the claims have a command of their own
    return [keys, [getattr(report, key) for key in keys]]
