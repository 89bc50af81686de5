"""Lay out the checks of players as rows."""

from __future__ import annotations

from arena.features.check.record import Answers, CheckReport
from arena.reports.rows import Rows, flat


@flat.register
def _check_report_rows(report: CheckReport) -> Rows:
    header = ["player", "game", "check", "level", "message", "reproduction"]
    rows = [list(finding.as_json().values()) for finding in report.findings]
    return [header, *([report.player, report.game, *values] for values in rows)]


@flat.register
def _answers_rows(answers: Answers) -> Rows:
    counted = {**answers.moves, **answers.faults}
    rows = [[answers.player, answers.position, answer, times] for answer, times in counted.items()]
    return [["player", "position", "answer", "times"], *rows]
