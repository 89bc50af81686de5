"""Show the positions that a player plays differently now, also where it got no weaker by it."""

from __future__ import annotations

from arena.features.regress.page import example_parts
from arena.features.regress.record import FAILURES, RegressionReport
from arena.reports.html.document import Section
from arena.reports.html.pages.plain import parts_for_template, sections
from arena.reports.page import Block


@sections.register
def _regression_sections(report: RegressionReport, tables: Section) -> list[Section]:
    """Return the tables, and below them the changes that failed nothing, if there are any.

    The tables explain the checks that failed.
    """
    parts: list[str | Block] = []
    for check in report.comparisons:
        if check.verdict in FAILURES or not check.examples:
            continue
        extent = f"{len(check.examples)} of {check.changed}"
        parts.append(f"{check.player} at {check.game}, {extent} changed positions:")
        for example in check.examples:
            parts += example_parts(check.player, example)
    values = {"parts": parts_for_template(parts)}
    changes = [Section("Changed positions", "plain.html", values)] if parts else []
    return [tables, *changes]
