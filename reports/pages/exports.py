"""Lay out runs with all their games."""

from __future__ import annotations

from arena.records.exports import Export
from arena.reports.page import Page, Table, page


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
