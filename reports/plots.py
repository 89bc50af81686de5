"""Choose the figures of a record and draw them with matplotlib, the extra ``plot``."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError, did_you_mean, quoted
from arena.records.base import Record, Tally
from arena.records.fights import FightResult
from arena.records.history import History
from arena.records.methods import WithMethods
from arena.records.proofs import Chances, CheckedFight, ExactResult, ExactTournament
from arena.records.ratings import RatingTable
from arena.records.sequential import SprtFight
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
        raise UsageError(f"this {kind} has no figure")
    if figure and figure not in choices:
        names = ", ".join(choices)
        raise UsageError(
            f"this {kind} has no figure {quoted(figure)}{did_you_mean(figure, choices)}: {names}"
        )
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


@singledispatch
def figures_of(_: Record) -> Mapping[str, Figure]:
    """Return the figures of a record by their names, the usual one first."""
    return {}


@figures_of.register
def _with_methods_figures(explained: WithMethods) -> Mapping[str, Figure]:
    return figures_of(explained.record)


@figures_of.register
def _tournament_result_figures(tournament: TournamentResult) -> Mapping[str, Figure]:
    names = [standing.player for standing in tournament.standings]
    tallies: dict[tuple[str, str], Tally] = {}
    for fight in tournament.fights:
        a, b = fight.players
        tallies[a, b] = tallies.get((a, b), Tally()) + fight.total
        tallies[b, a] = tallies[a, b].reversed()
    scores = {both: tally.score for both, tally in tallies.items()}
    rows = [
        figures.Row(row.player, _shares(row.tally), row.tally.games) for row in tournament.standings
    ]
    return {
        "cross-table": partial(figures.cross_table, names, scores),
        **figures_of(tournament.ratings),
        "results": partial(figures.results, f"Results at {tournament.game}", rows),
    }


@figures_of.register
def _exact_tournament_figures(tournament: ExactTournament) -> Mapping[str, Figure]:
    names = [standing.player for standing in tournament.standings]
    scores: dict[tuple[str, str], float | None] = {}
    for exact in tournament.pairings:
        (a, b), score = exact.players, float(exact.total.score)
        scores[a, b], scores[b, a] = score, 1 - score
    return {"cross-table": partial(figures.cross_table, names, scores)}


@figures_of.register
def _rating_table_figures(ratings: RatingTable) -> Mapping[str, Figure]:
    drawn: dict[str, Figure] = {"ratings": partial(figures.ratings, ratings.players)}
    if figures.series_of(ratings.players):
        drawn["steps"] = partial(figures.steps, ratings.players)
    return drawn


@figures_of.register
def _fight_result_figures(fight: FightResult) -> Mapping[str, Figure]:
    a, b = fight.players
    views = (("moving first", fight.first), ("moving second", fight.second), ("total", fight.total))
    rows = [figures.Row(name, _shares(tally), tally.games) for name, tally in views]
    title = f"{a} against {b} at {fight.game}"
    return {"results": partial(figures.results, title, rows)}


@figures_of.register
def _until_fight_figures(played: UntilFight | CheckedFight) -> Mapping[str, Figure]:
    return figures_of(played.fight)


@figures_of.register
def _sprt_fight_figures(played: SprtFight) -> Mapping[str, Figure]:
    path = {"llr": partial(figures.llr, played)} if played.path else {}
    return {**path, **figures_of(played.fight)}


@figures_of.register
def _exact_result_figures(exact: ExactResult) -> Mapping[str, Figure]:
    a, b = exact.players
    views = (("moving first", exact.first), ("moving second", exact.second), ("total", exact.total))
    rows = [figures.Row(name, _shares(chances), None) for name, chances in views]
    return {"results": partial(figures.results, f"{a} against {b} at {exact.game}, exactly", rows)}


@figures_of.register
def _history_figures(history: History) -> Mapping[str, Figure]:
    has_score = any(row["score"] is not None for row in history.rows)
    return {"strength": partial(figures.strength, history)} if has_score else {}


@figures_of.register
def _training_figures(training: Training) -> Mapping[str, Figure]:
    return {"curve": partial(figures.curve, training)} if training.curve else {}


def _shares(counted: Tally | Chances) -> Sequence[float]:
    """Return the shares of wins, draws and losses, which are 0 without a game."""
    if isinstance(counted, Chances):
        return [float(counted.win), float(counted.draw), float(counted.loss)]
    games = counted.games or 1
    return [counted.wins / games, counted.draws / games, counted.losses / games]
