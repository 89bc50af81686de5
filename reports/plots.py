"""Choose the figures of a record and draw them with matplotlib, the extra ``plot``."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError, did_you_mean, quoted
from arena.records.base import Record, Tally
from arena.records.fights import FightResult
from arena.records.history import History
from arena.records.methods import WithMethods
from arena.records.proofs import Chances, CheckedFight, ExactResult, ExactTournament
from arena.records.ratings import RatingTable
from arena.records.sequential import SprtFight
from arena.records.tables import (
    RatedAtTables,
    TableRating,
    TableRatings,
    TableRatingTable,
    TablesResult,
)
from arena.records.tournaments import TournamentResult
from arena.records.training import Training
from arena.records.until import UntilFight
from arena.reports import figures
from arena.reports.names import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Kinds of pictures, by file suffix.
STYLES = (".png", ".svg")

#: Metadata to drop, by style, so that pictures of the same curve are equal: dates, versions, ids.
METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}

#: Draws a figure on the axes of matplotlib.
Figure = Callable[[Any], None]


def plot(record: Record, figure: str = "", axes: Axes | None = None) -> Axes:
    """Draw a figure of a record, by default its first, on the axes or on new ones.

    Raises UsageError for a figure that the record does not have, and without matplotlib.
    """
    choices = figures_of(shortened(record))
    kind = type(record).__name__
    if not choices:
        raise UsageError(f"this {kind} has no figure{_elsewhere(figure)}")
    if not isinstance(figure, str):
        raise UsageError(f"a figure is a text, not {quoted(repr(figure))}")
    if figure and figure not in choices:
        problem = f"this {kind} has no figure {quoted(figure)} (it has: {', '.join(choices)})"
        raise UsageError(problem + (did_you_mean(figure, choices) or _elsewhere(figure)))
    draw_on = choices[figure or next(iter(choices))]
    axes = _axes() if axes is None else axes
    draw_on(axes)
    _show_names_as_they_are(axes)
    return axes


def draw(record: Record, style: str) -> bytes:
    """Draw the usual figure of a record as a picture of that style.

    Raises UsageError for a record without one, and without matplotlib.
    """
    require_matplotlib()
    from matplotlib import figure, rc_context

    with rc_context({"svg.hashsalt": "arena", "svg.fonttype": "none"}):
        canvas = figure.Figure(figsize=(7, 4.5), layout="constrained")
        plot(record, axes=canvas.add_subplot())
        picture = io.BytesIO()
        canvas.savefig(picture, format=style[1:], dpi=150, metadata=METADATA[style])
    return picture.getvalue()


def _axes() -> Axes:
    """Return the axes of a new figure, which a notebook shows below its cell."""
    require_matplotlib()
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(7, 4.5), layout="constrained")[1]


def require_matplotlib() -> None:
    """Raise UsageError, with the command that installs it, where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise UsageError("a plot needs matplotlib: pip install 'proving-arena[plot]'") from error


def _show_names_as_they_are(axes: Axes) -> None:
    from matplotlib.text import Text

    for text in axes.findobj(Text):
        assert isinstance(text, Text)
        text.set_parse_math(False)  # a $ in a name does not start a formula


def figures_of(record: Record) -> dict[str, Figure]:
    """Return the figures of a record by their names, the usual one first."""
    makers = _MAKERS.get(type(record), {})
    figures = {name: make(record) for name, make in makers.items()}
    part = _part_of(record)
    parts = {} if part is None else figures_of(part)
    return {name: figure for name, figure in figures.items() if figure is not None} | parts


def _part_of(record: Record) -> Record | None:
    """Return the part of a record whose figures it has too, or None without one."""
    match record:
        case WithMethods():
            return record.record
        case UntilFight() | CheckedFight() | SprtFight():
            return record.fight
        case _:
            return None


def _elsewhere(figure: str) -> str:
    """Say which records have a figure of that name or of the nearest, if there is one."""
    names = {name for makers in _MAKERS.values() for name in makers}
    if figure not in names:
        nearest = [name for name in names if did_you_mean(figure, [name])]
        figure = min(nearest, default="")
    kinds = [kind.__name__ for kind, makers in _MAKERS.items() if figure in makers]
    return f"; {figure!r} is a figure of {', '.join(kinds)}" if kinds else ""


#: Makes a figure of a record, or None if the record has no values for it.
_Make = Callable[[Any], Figure | None]

#: The figures by the kind of their record and by their names, the usual one first.
_MAKERS: dict[type[Record], dict[str, _Make]] = {}


def _figure(kind: type[Record], name: str) -> Callable[[_Make], _Make]:
    """Return a decorator of the function that makes a figure of a kind of record."""

    def register(make: _Make) -> _Make:
        _MAKERS.setdefault(kind, {})[name] = make
        return make

    return register


@_figure(TournamentResult, "cross-table")
def _tournament_cross_table(tournament: TournamentResult) -> Figure:
    names = [standing.player for standing in tournament.standings]
    tallies: dict[tuple[str, str], Tally] = {}
    for fight in tournament.fights:
        a, b = fight.players
        tallies[a, b] = tallies.get((a, b), Tally()) + fight.total
        tallies[b, a] = tallies[a, b].reversed()
    scores = {both: tally.score for both, tally in tallies.items()}
    return partial(figures.cross_table, names, scores)


@_figure(TournamentResult, "ratings")
def _tournament_ratings(tournament: TournamentResult) -> Figure | None:
    return _ratings(tournament.ratings)


@_figure(TournamentResult, "results")
def _tournament_results(tournament: TournamentResult) -> Figure:
    rows = [
        figures.ShareRow(row.player, _shares(row.tally), row.tally.games)
        for row in tournament.standings
    ]
    return partial(figures.results, f"Results at {tournament.game}", rows)


@_figure(ExactTournament, "cross-table")
def _exact_cross_table(tournament: ExactTournament) -> Figure:
    names = [standing.player for standing in tournament.standings]
    scores: dict[tuple[str, str], float | None] = {}
    for exact in tournament.pairings:
        (a, b), score = exact.players, float(exact.total.score)
        scores[a, b], scores[b, a] = score, 1 - score
    return partial(figures.cross_table, names, scores)


@_figure(RatingTable, "ratings")
def _ratings(ratings: RatingTable) -> Figure:
    rated = [
        figures.RangePoint(row.player, row.elo.value, row.elo.low, row.elo.high, row.group)
        for row in ratings.players
        if row.elo.value is not None
    ]
    return partial(figures.ratings, rated)


@_figure(RatingTable, "steps")
def _steps(ratings: RatingTable) -> Figure | None:
    is_series = figures.series_of(ratings.players)
    return partial(figures.steps, ratings.players) if is_series else None


@_figure(FightResult, "results")
def _fight_results(fight: FightResult) -> Figure:
    a, b = fight.players
    views = (("moving first", fight.first), ("moving second", fight.second), ("total", fight.total))
    rows = [figures.ShareRow(name, _shares(tally), tally.games) for name, tally in views]
    return partial(figures.results, f"{a} against {b} at {fight.game}", rows)


@_figure(TablesResult, "payoffs")
def _payoffs(played: TablesResult) -> Figure:
    paid = [
        figures.RangePoint(row.player, row.payoff, row.low, row.high)
        for row in played.standings
        if row.payoff is not None
    ]
    title = f"Payoffs at {played.tables[0].game}"
    return partial(figures.payoffs, title, played.unit, paid)


@_figure(TablesResult, "ratings")
def _tables_ratings(played: TablesResult) -> Figure | None:
    return None if played.ratings is None else _table_ratings(played.ratings)


@_figure(TablesResult, "places")
def _places(played: TablesResult) -> Figure | None:
    rows = [
        (row.player, [number / row.games for number in row.places])
        for row in played.standings
        if row.games
    ]
    title = f"Places at {played.tables[0].game}"
    return partial(figures.places, title, rows) if rows else None


@_figure(TableRatings, "ratings")
@_figure(TableRatingTable, "ratings")
def _table_ratings(ratings: TableRatings | TableRatingTable) -> Figure:
    rated = [
        figures.RangePoint(row.player, row.elo, row.low, row.high, getattr(row, "group", 1))
        for row in sorted(ratings.players, key=_by_rating)
        if row.elo is not None
    ]
    return partial(figures.ratings, rated)


def _by_rating(row: TableRating | RatedAtTables) -> tuple[int, float]:
    return getattr(row, "group", 1), -(row.elo or 0.0)


@_figure(SprtFight, "llr")
def _llr(played: SprtFight) -> Figure | None:
    return partial(figures.llr, played) if played.path else None


@_figure(ExactResult, "results")
def _exact_results(exact: ExactResult) -> Figure:
    a, b = exact.players
    views = (("moving first", exact.first), ("moving second", exact.second), ("total", exact.total))
    rows = [figures.ShareRow(name, _shares(chances), None) for name, chances in views]
    return partial(figures.results, f"{a} against {b} at {exact.game}, exactly", rows)


@_figure(History, "strength")
def _strength(history: History) -> Figure | None:
    has_score = any(row["score"] is not None for row in history.rows)
    return partial(figures.strength, history) if has_score else None


@_figure(Training, "curve")
def _curve(training: Training) -> Figure | None:
    return partial(figures.curve, training) if training.curve else None


def _shares(counted: Tally | Chances) -> Sequence[float]:
    """Return the shares of wins, draws and losses, which are 0 without a game."""
    if isinstance(counted, Chances):
        return [float(counted.win), float(counted.draw), float(counted.loss)]
    games = counted.games or 1
    return [counted.wins / games, counted.draws / games, counted.losses / games]
