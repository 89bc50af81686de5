"""Lay out regression checks as rows."""

from __future__ import annotations

from arena.features.regress.record import RegressionReport
from arena.reports.rows import Rows, flat


@flat.register
def _regression_report_rows(report: RegressionReport) -> Rows:
    claims, comparisons = report.claims, report.comparisons
    none = [None, None]
    return [
        ["player", "game", "checked", "verdict", "method", "before", "after", "message"],
        *([c.player, c.game, c.what, c.verdict, c.method, *none, c.message] for c in claims),
        *(
            [c.player, c.game, c.what, c.verdict, c.method, c.before, c.after, c.message]
            for c in comparisons
        ),
    ]
