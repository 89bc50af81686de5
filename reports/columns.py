"""Declare the columns of records: each once, for the page, CSV, data frames and ``--table``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from arena.model.columns import Column, Format
from arena.records.fights import FightResult
from arena.records.ratings import RatedPlayer
from arena.records.tournaments import Standing, TournamentResult
from arena.reports.cells import lost, percent, rank_cell, won
from arena.reports.rounds import shown as points_shown

_COUNTED: tuple[Format, ...] = ("csv", "sheet", "data")
_FIGURES: tuple[Format, ...] = ("csv", "data")
_TABLES: tuple[Format, ...] = ("sheet", "data")


def percent_or_dash(score: float | None) -> str:
    """Show a score from 0 to 1 in percent; a dash for None."""
    return "-" if score is None else percent(score)


class Placed(NamedTuple):
    """A standing, and the rating of its player; None without one."""

    standing: Standing
    rating: RatedPlayer | None
    #: Whether a page shows the ranks that the results leave to a player.
    has_ranks: bool = False


def placed_rows(tournament: TournamentResult) -> list[Placed]:
    """Return the rows of the standings."""
    ratings = {row.player: row for row in tournament.ratings.players}
    has_ranks = tournament.rank_intervals is not None
    has_forfeits = any(standing.forfeits for standing in tournament.standings)
    is_narrow = has_ranks and not has_forfeits  # to fit in a line
    return [Placed(row, ratings.get(row.player), is_narrow) for row in tournament.standings]


def _rank_range(row: Placed) -> tuple[int | None, int | None] | None:
    return (row.standing.rank_low, row.standing.rank_high) if row.has_ranks else None


def _elo(end: str) -> Callable[[Placed], float | None]:
    return lambda row: None if row.rating is None else getattr(row.rating.elo, end)


#: The columns of a standing. The marks of the schedule follow the player.
STANDING: tuple[Column[Placed], ...] = (
    Column("rank", lambda row: row.standing.shown_rank, ("page", *_TABLES)),
    Column("player", lambda row: row.standing.player, ("page", *_TABLES)),
    Column("games", lambda row: row.standing.tally.games, _TABLES),
    Column("points", lambda row: float(row.standing.tally.points), ("data",)),
    Column("wins", lambda row: row.standing.tally.wins, ("page", *_TABLES), won),
    Column("draws", lambda row: row.standing.tally.draws, ("page", *_TABLES)),
    Column("losses", lambda row: row.standing.tally.losses, ("page", *_TABLES), lost),
    Column("forfeits", lambda row: row.standing.forfeits, ("page", "data"), lost, any),
    Column("score", lambda row: row.standing.tally.score, ("page", *_TABLES), percent_or_dash),
    Column("missing_pairs", lambda row: row.standing.missing, ("data",)),
    Column("rank_low", lambda row: row.standing.rank_low, ("data",)),
    Column("rank_high", lambda row: row.standing.rank_high, ("data",)),
    Column("ranks", _rank_range, ("page",), lambda ends: rank_cell(*ends), any),
    Column("elo", _elo("value"), _TABLES),
    Column("elo_low", _elo("low"), ("data",)),
    Column("elo_high", _elo("high"), ("data",)),
    Column("group", lambda row: row.rating and row.rating.group, ("data",)),
)


def standing_columns(rows: Sequence[Placed]) -> list[Column[Placed]]:
    """Return the columns of standings with the marks of their schedule.

    A mark named as another column has the key ``marks.NAME``; ``points`` of a schedule, which
    counts byes, replace the others.
    """
    names = dict.fromkeys(name for row in rows for name in row.standing.marks)
    others = [column for column in STANDING if column.key not in {"points"} & names.keys()]
    keys = {column.key for column in others}
    marks = [_mark(name, f"marks.{name}" if name in keys else name) for name in names]
    return [*others[:2], *marks, *others[2:]]


def _mark(name: str, key: str) -> Column[Placed]:
    def value(row: Placed) -> Any:
        mark = row.standing.marks.get(name)
        return float(mark) if isinstance(mark, Fraction | int) else mark

    def cell(mark: float | str | None) -> str:
        return "-" if mark is None else points_shown(mark)

    return Column(key, value, ("page", *_TABLES), cell, title=name.replace("_", " "))


def _interval(attribute: str) -> Callable[[FightResult], Any]:
    def value(fight: FightResult) -> Any:
        shown_value = getattr(fight.interval, attribute, None)
        return round(shown_value, 4) if isinstance(shown_value, float) else shown_value

    return value


def _tally_columns(view: str, prefix: str = "") -> list[Column[FightResult]]:
    """Return the columns of the results of a view: ``first``, ``second`` or ``total``."""

    def count(name: str) -> Callable[[FightResult], Any]:
        return lambda fight: getattr(getattr(fight, view), name)

    formats = _FIGURES[1:] if prefix else _COUNTED
    return [Column(prefix + name, count(name), formats) for name in ("wins", "draws", "losses")]


#: The columns of a pairing.
PAIRING: tuple[Column[FightResult], ...] = (
    Column("a", lambda fight: fight.players[0], _COUNTED),
    Column("b", lambda fight: fight.players[1], _COUNTED),
    Column("pairs", lambda fight: fight.pairs, ("data",)),
    Column("games", lambda fight: fight.total.games, _COUNTED),
    *_tally_columns("total"),
    Column("score", lambda fight: fight.total.score, _COUNTED),
    Column("score_low", _interval("low"), _TABLES),
    Column("score_high", _interval("high"), _TABLES),
    Column("interval", _interval("kind"), _TABLES),
    *_tally_columns("first", "first_"),
    *_tally_columns("second", "second_"),
    Column("a_forfeits", lambda fight: sum(fight.both[0].forfeits.values()), _FIGURES),
    Column("b_forfeits", lambda fight: sum(fight.both[1].forfeits.values()), _FIGURES),
    Column("void", lambda fight: fight.void, _FIGURES),
    Column("not_played", lambda fight: fight.not_played, _FIGURES),
    Column("distinct_games", lambda fight: fight.distinct_games, ("data",)),
)

#: The columns of each kind of row.
DECLARED: Mapping[str, Sequence[Column[Any]]] = {"standings": STANDING, "pairings": PAIRING}
