"""Declare the columns of standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from arena.model.columns import Column, Format
from arena.records.ratings import Estimated, RatedPlayer
from arena.records.tournaments import Standing, TournamentResult
from arena.reports.cells import Cell, lost, nearest, payoff_cell, percent, rank_cell
from arena.reports.columns.fights import INTERVAL, result_bar, tally_columns
from arena.reports.columns.marks import mark_column
from arena.reports.columns.ratings import has_intervals, rating_interval

_SEEN: tuple[Format, ...] = ("page", "html")
_TABLES: tuple[Format, ...] = ("sheet", "data")
_STANDING: tuple[Format, ...] = (*_SEEN, *_TABLES)


class StandingRow(NamedTuple):
    """A standing, and what else a tournament knows of its player: its rating, and its value."""

    standing: Standing
    rating: RatedPlayer | None
    #: The mean of its scores against each other player, if the tournament asks for it.
    value: float | None = None

    @property
    def elo(self) -> Estimated | None:
        """Its rating with its interval, or None."""
        return None if self.rating is None else self.rating.elo


def placed_rows(tournament: TournamentResult) -> list[StandingRow]:
    """Return the rows of the standings."""
    ratings = {row.player: row for row in tournament.ratings.players}
    until = tournament.until
    values = {} if until is None else {row.player: row.value for row in until.players}
    return [
        StandingRow(row, ratings.get(row.player), values.get(row.player))
        for row in tournament.standings
    ]


def _are_different(values: Sequence[Any]) -> bool:
    return len({*values}) > 1


def _is_any_known(values: Sequence[Any]) -> bool:
    return any(value is not None for value in values)


def _ranks(standing: Standing) -> Cell | None:
    low, high = standing.rank_low, standing.rank_high
    return None if low is None else rank_cell(low, high)


#: The columns of a standing. The marks of the schedule follow the player.
STANDING: tuple[Column[StandingRow], ...] = (
    Column("rank", lambda row: row.standing.shown_rank, _STANDING),
    Column("player", lambda row: row.standing.player, _STANDING, is_name=True),
    Column(
        "games", lambda row: row.standing.tally.games, ("html", *_TABLES), is_worth=_are_different
    ),
    Column("points", lambda row: float(row.standing.tally.points), ("data",)),
    *tally_columns(lambda row: row.standing.tally, _STANDING),
    Column("forfeits", lambda row: row.standing.forfeits, (*_SEEN, "data"), lost, any),
    result_bar(lambda row: row.standing.tally),
    Column("score", lambda row: row.standing.tally.score, _STANDING, percent),
    Column("value", formats=_SEEN, cell=percent, is_worth=_is_any_known),
    Column("missing_pairs", lambda row: row.standing.missing, ("data",)),
    Column("rank_low", lambda row: row.standing.rank_low, ("data",)),
    Column("rank_high", lambda row: row.standing.rank_high, ("data",)),
    Column("ranks", lambda row: _ranks(row.standing), _SEEN, is_worth=_is_any_known),
    Column("elo", lambda row: row.elo and row.elo.value, ("html", *_TABLES), nearest, title="Elo"),
    Column("elo_low", lambda row: row.elo and row.elo.low, ("data",)),
    Column("elo_high", lambda row: row.elo and row.elo.high, ("data",)),
    Column("elo", formats=("html",), cell=rating_interval, is_worth=has_intervals, title=INTERVAL),
    Column("elo", formats=("html",), is_worth=has_intervals, picture="intervals"),
    Column("group", lambda row: row.rating and row.rating.group, ("data",)),
)


#: The columns that the payoff of a game with payoffs of its own replaces for people.
_UNPAID = ("wins", "draws", "losses", "results", "score", "elo")


def _payoff_columns(unit: str) -> list[Column[StandingRow]]:
    """Return the columns of payoffs per game."""

    def payoff(row: StandingRow) -> float | None:
        value = row.standing.payoff
        return None if value is None else float(value)

    def cell(value: float | None) -> str:
        return payoff_cell(value, is_signed=False)

    title = f"{unit} per game"
    return [Column("payoff", payoff, _STANDING, cell, title=title)]


def standing_columns(rows: Sequence[StandingRow], unit: str = "") -> list[Column[StandingRow]]:
    """Return the columns of standings with the marks of their schedule.

    ``unit`` is that of the payoffs, empty for a game without payoffs of its own. A mark named as
    another column has the key ``marks.NAME``. The ``points`` of a schedule count byes and replace
    the others.
    """
    names = dict.fromkeys(name for row in rows for name in row.standing.marks)
    others = [column for column in STANDING if column.key not in {"points"} & names.keys()]
    if unit:
        columns = [_for_programs(column) for column in others]
        others = [*columns[:2], *_payoff_columns(unit), *columns[2:]]
    keys = {column.key for column in others}
    marks = [_mark(name, f"marks.{name}" if name in keys else name) for name in names]
    return [*others[:2], *marks, *others[2:]]


class StandingTable(NamedTuple):
    """A table of standings that people read."""

    columns: Sequence[Column[StandingRow]]
    rows: Sequence[StandingRow]
    #: The line above it, empty if it needs none.
    lead: str = ""


def standing_tables(tournament: TournamentResult) -> list[StandingTable]:
    """Return the standings as people read them: the challenger of a gauntlet has its own table."""
    rows = placed_rows(tournament)
    columns = standing_columns(rows, tournament.unit)
    challenger = tournament.challenger
    if challenger is None:
        return [StandingTable(columns, rows)]
    others = [row for row in rows if row.standing.player != challenger]
    alone = [row for row in rows if row.standing.player == challenger]
    results = [column for column in columns if column.key not in ("rank", "ranks")]
    lead = f"The others, by their score against {challenger}:"
    return [StandingTable(results, alone), StandingTable(columns, others, lead)]


def _for_programs(column: Column[StandingRow]) -> Column[StandingRow]:
    """Return a column that is for programs alone if a payoff replaces it for people."""
    if column.key not in _UNPAID:
        return column
    return replace(column, formats=tuple(fmt for fmt in column.formats if fmt == "data"))


def _mark(name: str, key: str) -> Column[StandingRow]:
    return mark_column(name, key, lambda row: row.standing.marks, _STANDING)
