"""Lay out what the check of a store found."""

from __future__ import annotations

from arena.errors import counted
from arena.features.verify.record import VerifyReport
from arena.reports.page import Fine, Page, page


@page.register
def _verify_report_page(report: VerifyReport) -> Page:
    checked = f"{counted(report.games, 'game')} in {counted(report.runs, 'run')}"
    details = [Fine(f"checked: {part}") for part in report.checked]
    if report.divergence is None:
        return [f"the store holds: {checked} agree with the rules and the totals", *details]
    divergence = report.divergence
    run = "" if divergence.run is None else f"run {divergence.run}, "
    return [f"the store does not hold: {run}{divergence.where}: {divergence.problem}", *details]
