"""Lay out ratings from the places at tables."""

from __future__ import annotations

from arena.errors import counted
from arena.model.columns import flat_rows
from arena.records.tables import TableRatingTable
from arena.reports.columns.tables import PLACE_RATING
from arena.reports.page import Block, Note, Page, Rows, Table, declared_table, flat, page
from arena.reports.pages.table_games import seat_worths


@page.register
def _ratings_page(ratings: TableRatingTable) -> Page:
    groups = sorted({row.group for row in ratings.players})
    parts: list[str | Table | Block] = []
    for group in groups:
        lead = f"Group {group}, whose ratings compare only with each other:"
        rows = [row for row in ratings.players if row.group == group]
        parts += [*[lead][: len(groups) - 1], declared_table(PLACE_RATING, rows)]
    games = counted(ratings.games, "game")
    blocks = counted(ratings.blocks, "block")
    return [
        *parts,
        *seat_worths(ratings.seats),
        f"{games} in {blocks}, of {counted(len(ratings.players), 'player')}",
        *map(Note, ratings.statements),
    ]


@flat.register
def _ratings_rows(ratings: TableRatingTable) -> Rows:
    return flat_rows(PLACE_RATING, ratings.players)
