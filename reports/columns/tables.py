"""Declare the columns of the standings of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.model.columns import CSV, LISTED, Column, Format
from arena.records.tables import (
    RatedAtTables,
    TableRating,
    TableResult,
    TableRow,
    TablesResult,
    TableStanding,
)
from arena.reports.cells import Cell, ends, lost, nearest, payoff_cell, rank_cell
from arena.reports.columns.fights import INTERVAL
from arena.reports.columns.marks import mark_column

#: The formats that show every column.
_ALL: tuple[Format, ...] = ("page", "html", "csv", "sheet", "data")
_SEEN: tuple[Format, ...] = ("page", "html")
_DATA: tuple[Format, ...] = ("csv", "data")


class TableStandingRow(NamedTuple):
    """A standing, and the rating of its player."""

    standing: TableStanding
    rating: TableRating | None
    #: Whether a payoff can cost something.
    is_signed: bool

    @property
    def payoffs(self) -> str:
        """The ends of the interval of its payoff."""
        row = self.standing
        if row.low is None or row.high is None:
            return "-"
        return f"{payoff_cell(row.low, self.is_signed)} to {payoff_cell(row.high, self.is_signed)}"


def seated_rows(tables: TablesResult) -> list[TableStandingRow]:
    """Return the rows of the standings."""
    rated = () if tables.ratings is None else tables.ratings.players
    ratings = {rating.player: rating for rating in rated}
    is_signed = any(table.least < 0 for table in tables.tables)
    return [TableStandingRow(row, ratings.get(row.player), is_signed) for row in tables.standings]


def _elo_interval(row: TableStandingRow) -> Cell:
    return "-" if row.rating is None else ends(row.rating.low, row.rating.high)


def seated_columns(unit: str, rows: Sequence[TableStandingRow]) -> list[Column[TableStandingRow]]:
    """Return the columns of the standings of a game with payoffs of this unit.

    The marks of the schedule that the rows have follow the player.
    """
    title = f"{unit} per game"
    marks = dict.fromkeys(name for row in rows for name in row.standing.marks)
    return [
        Column("rank", lambda row: row.standing.rank, _ALL),
        Column("player", lambda row: row.standing.player, _ALL, is_name=True),
        *(mark_column(name, name, lambda row: row.standing.marks, _ALL) for name in marks),
        Column("blocks", lambda row: row.standing.blocks, _DATA),
        Column("games", lambda row: row.standing.games, ("html", "sheet", *_DATA)),
        Column("payoff", lambda row: _digits(row.standing.payoff), _DATA),
        Column(
            "payoff",
            lambda row: payoff_cell(row.standing.payoff, row.is_signed),
            ("page", "html", "sheet"),
            title=title,
        ),
        Column("low", lambda row: _digits(row.standing.low), _DATA),
        Column("high", lambda row: _digits(row.standing.high), _DATA),
        Column(
            "payoffs",
            formats=_SEEN,
            is_worth=lambda cells: any(cell != "-" for cell in cells),
            title=INTERVAL,
        ),
        Column("place", lambda row: _digits(row.standing.place), _ALL, _place),
        Column("rank_low", lambda row: row.standing.rank_low, _DATA),
        Column("rank_high", lambda row: row.standing.rank_high, _DATA),
        Column(
            "ranks",
            lambda row: rank_cell(row.standing.rank_low, row.standing.rank_high),
            _SEEN,
            is_worth=lambda cells: any(cell != "-" for cell in cells),
        ),
        Column("elo", lambda row: row.rating and row.rating.elo, _ALL, nearest, title="Elo"),
        Column("elo_low", lambda row: row.rating and row.rating.low, _DATA),
        Column("elo_high", lambda row: row.rating and row.rating.high, _DATA),
        Column(
            "elo_interval",
            _elo_interval,
            _SEEN,
            is_worth=lambda cells: any(cell != "-" for cell in cells),
            title="Elo " + INTERVAL,
        ),
        Column("forfeits", lambda row: row.standing.forfeits, _ALL, lost, any),
    ]


def _digits(value: float | None) -> float | None:
    """Return a number for programs, without digits that no result has."""
    return None if value is None else round(value, 6)


def _place(place: float | None) -> str:
    return "-" if place is None else f"{place:.2f}"


class InSeat(NamedTuple):
    """A player, or the mean of all, in every seat."""

    standing: TableStanding
    is_signed: bool


def seat_columns(seats: int) -> list[Column[InSeat]]:
    """Return the columns of payoffs by seat, and of how often a player had each place."""

    def payoff(seat: int) -> Column[InSeat]:
        def value(row: InSeat) -> str:
            return payoff_cell(row.standing.by_seat[seat], row.is_signed)

        return Column(f"seat_{seat + 1}", value, LISTED)

    def place(number: int) -> Column[InSeat]:
        return Column(f"place_{number + 1}", lambda row: row.standing.places[number], LISTED)

    player: Column[InSeat] = Column("player", lambda row: row.standing.player, is_name=True)
    return [player, *map(payoff, range(seats)), *map(place, range(seats))]


#: The columns of ratings from places.
PLACE_RATING: tuple[Column[RatedAtTables], ...] = (
    Column("player", is_name=True),
    Column("games"),
    Column("blocks"),
    Column("place", cell=_place),
    Column("elo", cell=nearest, title="Elo"),
    Column("elo_low", lambda row: row.low, CSV),
    Column("elo_high", lambda row: row.high, CSV),
    Column("interval", lambda row: ends(row.low, row.high), ("page",), title=INTERVAL),
    Column("group", formats=CSV),
)


class SatTogether(NamedTuple):
    """A table of several, which has this number from 1."""

    number: int
    table: TableResult

    @property
    def paid(self) -> str:
        """The payoffs of the players per game, the best first."""
        is_signed = self.table.least < 0
        rows = sorted(self.table.rows, key=lambda row: (-(row.payoff or 0), row.player))
        return ", ".join(f"{row.player} {payoff_cell(row.payoff, is_signed)}" for row in rows)


#: The columns of tables.
TOGETHER: tuple[Column[SatTogether], ...] = (
    Column("number", formats=_SEEN, title="table"),
    Column("paid", formats=_SEEN, title="per game", is_name=True),
    Column("blocks", lambda row: row.table.pairs, _SEEN),
    Column("games", lambda row: row.table.games, _SEEN),
)


class AtTable(NamedTuple):
    """A player at a table of several, which has this number from 1."""

    table: int
    row: TableRow


def _rounded(attribute: str) -> Callable[[AtTable], float | None]:
    """Return what rounds this number of a player at a table, if it has one, as a pairing's."""

    def value(row: AtTable) -> float | None:
        number: float | None = getattr(row.row, attribute)
        return None if number is None else round(number, 4)

    return value


#: The columns of players at tables.
AT_TABLE: tuple[Column[AtTable], ...] = (
    Column("table", formats=("sheet", "data")),
    Column("player", lambda row: row.row.player, ("sheet", "data"), is_name=True),
    Column("games", lambda row: row.row.games, ("sheet", "data")),
    Column("payoff", _rounded("payoff"), ("sheet", "data"), payoff_cell),
    Column("low", _rounded("low"), ("sheet", "data"), payoff_cell),
    Column("high", _rounded("high"), ("sheet", "data"), payoff_cell),
    Column("place", _rounded("place"), ("sheet", "data"), _place),
    Column("forfeits", lambda row: row.row.forfeits, ("sheet", "data"), lost),
)
