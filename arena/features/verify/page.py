"""Lay out the check of a store."""

from __future__ import annotations

from arena.errors import counted
from arena.features.verify.record import VerifyReport
from arena.reports.page import Fine, Page, Rows, flat, page


@page.register
def _verify_report_page(report: VerifyReport) -> Page:
    games = f"{counted(report.games, 'game')} in {counted(report.runs, 'run')}"
    details = [Fine(f"checked: {part}") for part in report.checked_parts]
    if report.divergence is None:
        holds = f"the store holds: {games} agree with the rules and the totals"
        return [holds, *_replayed(report), *details]
    divergence = report.divergence
    run = "" if divergence.run is None else f"run {divergence.run}, "
    return [f"the store does not hold: {run}{divergence.where}: {divergence.problem}", *details]


def _replayed(report: VerifyReport) -> list[str]:
    if report.replayed is None:
        return []
    lines = [f"played again: {counted(report.replayed, 'game')}, move by move the same"]
    if others := report.games - report.replayed:
        what = "forfeited unplayed, of players that left, or imported"
        lines.append(f"not played again: {counted(others, 'game')}, {what}")
    return lines


@flat.register
def _verify_report_rows(report: VerifyReport) -> Rows:
    record = report.as_json()
    divergence = record["divergence"] or {"run": None, "where": None, "problem": None}
    header = ["store", "runs", "games", "holds"]
    return [[*header, *divergence], [*(record[key] for key in header), *divergence.values()]]
