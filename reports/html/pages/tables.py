"""Show a game for more than two: standings, seats, every table with its games, and the forfeits."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.tables import TableResult, TablesResult
from arena.reports.columns.tables import (
    TOGETHER,
    InSeat,
    SatTogether,
    seat_columns,
    seated_columns,
    seated_rows,
)
from arena.reports.html.document import GamesLink, PageParts, Section
from arena.reports.html.pages.fights import FEW_PAIRINGS, MAX_PAIRINGS, forfeits
from arena.reports.html.pages.plain import parts_for_template
from arena.reports.html.tables import Grid, grid_of_rows
from arena.reports.page import declared_table
from arena.reports.pages.table_games import seat_worths
from arena.reports.rounds import seated_rounds


def parts(played: TablesResult, link: GamesLink) -> PageParts:
    """Return the title, a line below it, and the sections."""
    tables = played.tables
    players = f"{played.schedule} of {len(played.standings)} players, " * (len(tables) > 1)
    subtitle = f"{players}{played.games} games, seed {played.seed}"
    title = f"Tournament at {played.game}" if len(tables) > 1 else f"Table at {played.game}"
    rows = seated_rows(played)
    standings = grid_of_rows(seated_columns(played.unit, rows), [rows], "standings")
    sections = [
        _section("Standings", [standings]),
        *_seats(played),
        *forfeits(tables, link),
        section_of_tables(tables, link),
        *_rounds(played),
    ]
    return title, subtitle, sections


def section_of_tables(tables: Sequence[TableResult], link: GamesLink) -> Section:
    """Return the section of the tables, each with what it paid and the link to its games."""
    most = len(tables) if len(tables) <= MAX_PAIRINGS else FEW_PAIRINGS
    rows = [SatTogether(number, table) for number, table in enumerate(tables[:most], start=1)]
    links = [link(place) for place in range(most)]
    rest = f"These are the first {most} of {len(tables)}." * (most < len(tables))
    grid = grid_of_rows(TOGETHER, [rows], "tables", {"games": links})
    return _section("Tables", [grid], rest)


def _seats(played: TablesResult) -> list[Section]:
    """Return the section of what the seats paid, and of what they are worth."""
    is_signed = any(table.least < 0 for table in played.tables)
    rows = [InSeat(row, is_signed) for row in played.standings if row.games]
    if not rows:
        return []
    seats = declared_table(seat_columns(played.seats), rows)
    worths = seat_worths(() if played.ratings is None else played.ratings.seats)
    lead = f"{played.unit.capitalize()} per game by seat, and games by place."
    values = {"parts": parts_for_template([seats, *worths])}
    return [Section("Seats", "plain.html", values, lead=lead)]


def _rounds(played: TablesResult) -> list[Section]:
    """Return the section of the rounds, if a schedule chose the tables."""
    if played.state is None:
        return []
    parts = parts_for_template([seated_rounds(played.state)])
    return [Section("Rounds", "plain.html", {"parts": parts})]


def _section(title: str, grids: Sequence[Grid], lead: str = "") -> Section:
    return Section(title, "plain.html", {"parts": [("table", grid) for grid in grids]}, lead=lead)
