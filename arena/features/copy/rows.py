"""Lay out copies of stores as rows."""

from __future__ import annotations

from arena.features.copy.record import CopyReport
from arena.reports.rows import Rows, flat


@flat.register
def _copy_report_rows(report: CopyReport) -> Rows:
    header = ["kind", "number", "number_there", "state", "size"]
    return [header, *([part.as_json()[key] for key in header] for part in report.parts)]
