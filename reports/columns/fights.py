"""Declare the columns of fights and of pairings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.model.columns import CSV, Column, Format, Row, dashed
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.intervals import ANYTIME, FIXED, STOPPED, ScoreInterval
from arena.reports.cells import lost, payoff_cell, payoff_ends, percent, percentages, won

if TYPE_CHECKING:
    from arena.records.reports import EntrantFight

_COUNTED: tuple[Format, ...] = ("csv", "html", "sheet", "data")
_FIGURES: tuple[Format, ...] = ("csv", "data")
_SIDE: tuple[Format, ...] = ("page", "csv", "html")
_TABLES: tuple[Format, ...] = ("sheet", "data")

#: The header of an interval.
INTERVAL = "95 % interval"

#: The name of an interval in a table, by its kind. A file may have another kind.
SHORT_KINDS = {FIXED: FIXED, STOPPED: "stopped", ANYTIME: ANYTIME}


def level(kind: str, alpha: float = DEFAULT_ALPHA) -> str:
    """Name an interval of this kind: how sure it is, and what it is for."""
    return f"{100 * (1 - alpha):.9g} %, {SHORT_KINDS.get(kind, kind)}"


def titled(columns: Sequence[Column[Row]], **titles: str) -> list[Column[Row]]:
    """Return columns, some of which have other titles, by their keys."""
    return [replace(column, title=titles.get(column.key, column.title)) for column in columns]


def tally_columns(
    tally_of: Callable[[Row], Tally], formats: tuple[Format, ...], prefix: str = ""
) -> list[Column[Row]]:
    """Return the columns of the results of some games."""

    def count(name: str) -> Callable[[Row], int]:
        return lambda row: int(getattr(tally_of(row), name))

    tones = (("wins", won), ("draws", dashed), ("losses", lost))
    return [Column(prefix + name, count(name), formats, tone) for name, tone in tones]


def result_bar(tally_of: Callable[[Row], Tally]) -> Column[Row]:
    """Return the column of the bar of wins, draws and losses."""
    return Column("results", tally_of, ("html",), picture="results")


class FightRow(NamedTuple):
    """A fight, and the record that has A's score with its interval."""

    fight: FightResult
    scored: FightResult | EntrantFight


def paired_rows(fights: Sequence[FightResult]) -> list[FightRow]:
    """Return the rows of the pairings."""
    return [FightRow(fight, fight) for fight in fights]


def _interval(attribute: str) -> Callable[[FightRow], Any]:
    def value(row: FightRow) -> Any:
        shown_value = getattr(row.scored.interval, attribute, None)
        return round(shown_value, 4) if isinstance(shown_value, float) else shown_value

    return value


def _score_interval(row: FightRow) -> str | None:
    interval = row.scored.interval
    if interval is None:
        return None
    return f"{percentages(interval)}, {SHORT_KINDS.get(interval.kind, interval.kind)}"


def _points_column(place: int, title: str) -> Column[FightRow]:
    """Return the column of the pairs in which A had this many half points."""
    return Column(title, lambda row: row.fight.pentanomial[place], ("html",))


#: The names of pairs by A's points in them, from 0 to 2 by halves.
PAIR_POINTS = ("LL", "LD", "DD or WL", "WD", "WW")

#: The columns of a pairing.
PAIRING: tuple[Column[FightRow], ...] = (
    Column("a", lambda row: row.fight.players[0], _COUNTED, title="A", is_name=True),
    Column("b", lambda row: row.fight.players[1], _COUNTED, title="B", is_name=True),
    Column("pairs", lambda row: row.fight.pairs, ("data",)),
    Column("games", lambda row: row.fight.total.games, _COUNTED),
    *tally_columns(lambda row: row.fight.total, _COUNTED),
    result_bar(lambda row: row.fight.total),
    Column("score", lambda row: row.fight.total.score, _COUNTED, percent, title="A's score"),
    Column("score_low", _interval("low"), _TABLES),
    Column("score_high", _interval("high"), _TABLES),
    Column("interval", _interval("kind"), _TABLES),
    Column("score_interval", _score_interval, ("html",), title=INTERVAL),
    Column("first", lambda row: row.fight.first.score, ("html",), percent),
    Column("second", lambda row: row.fight.second.score, ("html",), percent),
    *(_points_column(place, title) for place, title in enumerate(PAIR_POINTS)),
    Column("pentanomial", lambda row: row.fight.pentanomial, ("html",), picture="pentanomial"),
    *tally_columns(lambda row: row.fight.first, ("data",), "first_"),
    *tally_columns(lambda row: row.fight.second, ("data",), "second_"),
    Column("a_forfeits", lambda row: sum(row.fight.a.forfeits.values()), _FIGURES),
    Column("b_forfeits", lambda row: sum(row.fight.b.forfeits.values()), _FIGURES),
    Column("void", lambda row: row.fight.void, _FIGURES),
    Column("not_played", lambda row: row.fight.not_played, _FIGURES),
    Column("distinct_games", lambda row: row.fight.distinct_games, ("data",)),
)


def pairing_columns(fights: Sequence[FightResult]) -> list[Column[FightRow]]:
    """Return the columns of pairings, with A's payoff per game where games pay."""
    units = {fight.paid.unit for fight in fights if fight.paid is not None}
    if not units:
        return list(PAIRING)
    title = f"A's {units.pop()} per game"
    columns = [replace(c, formats=_for_programs(c)) for c in PAIRING if c.key not in _ONLY_POINTS]
    payoffs = [
        Column("payoff", _payoff("payoff"), _COUNTED, payoff_cell, title=title),
        Column("payoff_low", _payoff("low"), _TABLES),
        Column("payoff_high", _payoff("high"), _TABLES),
        Column(
            "payoff_interval", lambda row: row.fight.payoff, ("html",), payoff_ends, title=INTERVAL
        ),
    ]
    return [*columns[:4], *payoffs, *columns[4:]]


#: The columns of points that say nothing of payoffs, and those that people need not see.
_ONLY_POINTS = ("score_interval", "pentanomial", "first", "second", *PAIR_POINTS)
_LESS_SEEN = ("wins", "draws", "losses", "results", "score")


def _for_programs(column: Column[FightRow]) -> tuple[Format, ...]:
    """Return the formats of a column of points where games pay."""
    hidden = ("html", "sheet") if column.key in _LESS_SEEN else ()
    return tuple(fmt for fmt in column.formats if fmt not in hidden)


def _payoff(attribute: str) -> Callable[[FightRow], float | None]:
    def value(row: FightRow) -> float | None:
        return getattr(row.fight.payoff, attribute, None)

    return value


class SideResult(NamedTuple):
    """The games of a fight by whether A moved first."""

    #: ``first``, ``second`` or ``total``.
    name: str
    players: tuple[str, str]
    tally: Tally
    #: A's score with its interval, in the row of all games.
    interval: ScoreInterval | None = None


def side_results(fight: FightResult, interval: ScoreInterval | None = None) -> list[SideResult]:
    """Return the rows of a fight, whose total has this interval."""
    return [
        SideResult("first", fight.players, fight.first),
        SideResult("second", fight.players, fight.second),
        SideResult("total", fight.players, fight.total, interval),
    ]


def side_cell(name: str) -> str:
    """Show which games a row is about."""
    return name if name == "total" else f"moving {name}"


def _total_interval(row: SideResult) -> str:
    return percentages(row.interval) if row.name == "total" else ""


#: The columns of a fight's games by whether A moved first.
BY_SIDE: tuple[Column[SideResult], ...] = (
    Column("a_moves", lambda row: row.name, _SIDE, side_cell),
    Column("a", lambda row: row.players[0], CSV),
    Column("b", lambda row: row.players[1], CSV),
    Column("games", lambda row: row.tally.games, _SIDE),
    *tally_columns(lambda row: row.tally, _SIDE),
    Column("score", lambda row: row.tally.score, _SIDE, percent),
    result_bar(lambda row: row.tally),
    Column("interval", _total_interval, ("page",)),
)
