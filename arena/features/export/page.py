"""Lay out runs with all their games."""

from __future__ import annotations

from arena.model.columns import flat_rows
from arena.records.exports import Export
from arena.reports.columns.games import RunGame, game_columns, game_rows
from arena.reports.page import Page, Rows, Table, declared_table, flat, page


@page.register
def _export_page(export: Export) -> Page:
    parts: list[str | Table] = []
    for run in export.runs:
        parts.append(f"run {run.number}: {run.schedule} at {run.game}, {run.started}")
        games = [*game_rows(run)]
        parts.append(declared_table(game_columns(games), games))
    for imported in export.imports:
        rows = [
            [" against ".join(row.game.players), " ".join(row.marked_moves), row.game.outcome or ""]
            for row in map(RunGame, imported.games)
        ]
        parts.append(f"import {imported.number}: {imported.file}, {imported.date}")
        parts.append(Table(["players", "moves", "outcome"], rows))
    return parts or ["no runs"]


@flat.register
def _export_rows(export: Export) -> Rows:
    rows = [row for run in export.runs for row in game_rows(run)]
    imported = [RunGame(game) for each in export.imports for game in each.games]
    every = [*rows, *imported]
    return flat_rows(game_columns(every), every)
