"""Lay out the contents of a store."""

from __future__ import annotations

from arena.errors import counted
from arena.features.export.record import Export
from arena.features.import_.record import ImportReport
from arena.features.verify.record import VerifyReport
from arena.reports.page import Fine, Page, Table, page


@page.register
def _(export: Export) -> Page:
    parts: list[str | Table] = []
    for run in export.runs:
        rows = [
            [game["game_id"], " ".join(game["moves"]), game["outcome"], game["reason"] or ""]
            for fight in run["fights"]
            for game in fight["games"]
        ]
        parts.append(f"run {run['run']}: {run['schedule']} at {run['game']}, {run['started']}")
        parts.append(Table(["game", "moves", "outcome", "forfeit"], rows))
    for found in export.imports:
        rows = [
            [" against ".join(game["players"]), " ".join(game["moves"]), game["outcome"]]
            for game in found["games"]
        ]
        parts.append(f"import {found['import']}: {found['file']}, {found['date']}")
        parts.append(Table(["players", "moves", "outcome"], rows))
    return parts or ["no runs"]


@page.register
def _(report: ImportReport) -> Page:
    lines = [f"took {counted(report.games, 'game')} of {counted(len(report.players), 'player')}"]
    if report.left_out:
        lines.append(f"{counted(report.left_out, 'game')} left out")
        lines += [f"line {line}: {problem}" for line, problem in report.problems]
    hidden = report.left_out - len(report.problems)
    return [*lines, f"and {hidden} more"] if hidden else [*lines]


@page.register
def _(report: VerifyReport) -> Page:
    checked = f"{counted(report.games, 'game')} in {counted(report.runs, 'run')}"
    details = [Fine(f"checked: {part}") for part in report.checked]
    if report.divergence is None:
        return [f"the store holds: {checked} agree with the rules and the totals", *details]
    divergence = report.divergence
    run = "" if divergence.run is None else f"run {divergence.run}, "
    return [f"the store does not hold: {run}{divergence.where}: {divergence.problem}", *details]
