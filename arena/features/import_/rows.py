"""Lay out imports as rows."""

from __future__ import annotations

from arena.features.import_.record import ImportReport
from arena.reports.rows import Rows, flat


@flat.register
def _import_report_rows(report: ImportReport) -> Rows:
    header = ["store", "file", "number", "games", "left_out"]
    return [header, [report.as_json()[key] for key in header]]
