"""Lay out what an import took."""

from __future__ import annotations

from arena.errors import counted
from arena.features.import_.record import ImportReport
from arena.reports.page import Page, Rows, flat, page


@page.register
def _import_report_page(report: ImportReport) -> Page:
    lines = [f"took {counted(report.games, 'game')} of {counted(len(report.players), 'player')}"]
    if report.left_out:
        lines.append(f"{counted(report.left_out, 'game')} left out")
        lines += [f"line {line}: {problem}" for line, problem in report.problems]
    hidden = report.left_out - len(report.problems)
    return [*lines, f"and {hidden} more"] if hidden else [*lines]


@flat.register
def _import_report_rows(report: ImportReport) -> Rows:
    header = ["store", "file", "number", "games", "left_out"]
    return [header, [report.as_json()[key] for key in header]]
