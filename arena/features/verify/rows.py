"""Lay out checks of stores as rows."""

from __future__ import annotations

from arena.features.verify.record import VerifyReport
from arena.reports.rows import Rows, flat


@flat.register
def _verify_report_rows(report: VerifyReport) -> Rows:
    record = report.as_json()
    divergence = record["divergence"] or {"run": None, "where": None, "problem": None}
    header = ["store", "runs", "games", "holds"]
    return [[*header, *divergence], [*(record[key] for key in header), *divergence.values()]]
