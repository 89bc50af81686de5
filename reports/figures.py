"""Draw figures of records on the axes of matplotlib, which is imported where it is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from arena import escape
from arena.records.history import History
from arena.records.ratings import RatedPlayer
from arena.records.sequential import SprtFight
from arena.records.training import Training

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The colours of pages: won, drawn and lost.
WIN_COLOUR, DRAW_COLOUR, LOSS_COLOUR = "#0b5cad", "#a9b2bb", "#d0632a"

#: The colours of scores, from no point to all points, and of pairings that were not played.
SCORE_COLOURS, UNPLAYED_COLOUR = ("#e8894f", "#f1f3f5", "#5f9fda"), "#cdd4da"

#: Most players of a cross table with numbers in its cells.
MAX_NUMBERS = 20

#: An interval so much wider than the ratings is cut where it is drawn.
BEYOND = 2.0

#: Most letters of a name and of a title.
MAX_NAME, MAX_TITLE = 32, 80

#: Most labels below a line.
MAX_LABELS = 6


class ShareRow(NamedTuple):
    """A row of results: shares of wins, draws and losses, and the games if there were any."""

    name: str
    shares: Sequence[float]
    games: int | None


def cross_table(
    names: Sequence[str], scores: Mapping[tuple[str, str], float | None], axes: Axes
) -> None:
    """Draw the score of each row's player against each column's as a heat map, in percent."""
    from matplotlib.colors import LinearSegmentedColormap

    number = len(names)
    cells = [[scores.get((row, column)) for column in names] for row in names]
    colours = LinearSegmentedColormap.from_list("scores", SCORE_COLOURS).with_extremes(
        bad=UNPLAYED_COLOUR
    )
    percents = [[float("nan") if cell is None else 100 * cell for cell in row] for row in cells]
    image = axes.imshow(percents, cmap=colours, vmin=0, vmax=100)
    axes.figure.colorbar(image, ax=axes, label="score of the row's player in %")
    places = range(number)
    axes.set_xticks(places, [str(place + 1) for place in places])
    labels = [f"{_short(name)}  {place}" for place, name in enumerate(names, 1)]
    axes.set_yticks(places, labels)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if number <= MAX_NUMBERS:
        for y, row in enumerate(cells):
            for x, cell in enumerate(row):
                if cell is not None:
                    axes.text(x, y, f"{100 * cell:.0f}", ha="center", va="center", color="#1d2126")


class RangePoint(NamedTuple):
    """A number of a player with its interval, of which an end is None if nothing bounds it."""

    name: str
    value: float
    low: float | None
    high: float | None
    #: Only those of one group compare.
    group: int = 1


def ratings(rated: Sequence[RangePoint], axes: Axes) -> None:
    """Draw the rating of each player with its 95 % interval, with lines between groups."""
    _estimates(rated, 100.0, axes)
    axes.set_xlabel("Elo with 95 % interval")
    groups = len({row.group for row in rated})
    title = "Ratings; those on both sides of a dotted line do not compare" * (groups > 1)
    axes.set_title(title or "Ratings")


def payoffs(title: str, unit: str, paid: Sequence[RangePoint], axes: Axes) -> None:
    """Draw the mean payoff of each player with its 95 % interval."""
    _estimates(paid, 1.0, axes)
    axes.set_xlabel(_short(f"{unit} per game with 95 % interval", MAX_TITLE))
    axes.set_title(_short(title, MAX_TITLE))


def _estimates(rows: Sequence[RangePoint], usual: float, axes: Axes) -> None:
    """Draw numbers with their intervals, one below the other. ``usual`` is a spread of them."""
    values = [row.value for row in rows]
    spread = max(values, default=0.0) - min(values, default=0.0) or usual
    least = min(values, default=0.0) - BEYOND * spread
    most = max(values, default=0.0) + BEYOND * spread
    height, labels = 0.0, []
    for before, row in zip([None, *rows], rows, strict=False):
        if before is not None and before.group != row.group:
            axes.axhline(height, color=DRAW_COLOUR, linestyle=":")
            height += 1
        labels.append((height, _short(row.name)))
        _interval(row, height, (least, most), axes)
        height += 1
    axes.set_yticks([place for place, _ in labels], [name for _, name in labels])
    axes.set_ylim(height - 0.4, -0.6)
    axes.grid(axis="x", alpha=0.3)


def places(title: str, rows: Sequence[tuple[str, Sequence[float]]], axes: Axes) -> None:
    """Draw how often each player had each place, as parts of a bar. They are shares of games."""
    from matplotlib import colormaps

    heights = [*range(len(rows))]
    begins = [0.0] * len(rows)
    last = max(len(shares) for _, shares in rows) - 1
    for place in range(last + 1):
        widths = [100 * shares[place] for _, shares in rows]
        colour = colormaps["Blues_r"](0.15 + 0.75 * place / last)
        axes.barh(heights, widths, left=begins, color=colour, label=str(place + 1), height=0.7)
        begins = [begin + width for begin, width in zip(begins, widths, strict=True)]
    axes.set_yticks(heights, [_short(name) for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("games in %")
    axes.set_title(_short(title, MAX_TITLE), pad=28)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=last + 1, frameon=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


class CheckpointPoint(NamedTuple):
    """A checkpoint of a series: the number in its name, and its rating."""

    number: int
    elo: float
    row: RatedPlayer


#: A name with a number: ``net-1000``, ``step2000.pt``.
_STEP = re.compile(r"(.*?)([0-9]{1,15})([^0-9]*)", re.ASCII)


def series_of(players: Sequence[RatedPlayer]) -> dict[str, list[CheckpointPoint]]:
    """Return the rated players whose names differ in their last number only, by step.

    The key is the name with an N in place of the number. A series has two or more.
    """
    series: dict[str, list[CheckpointPoint]] = {}
    for row in players:
        match = _STEP.fullmatch(row.player)
        if match and row.elo.value is not None:
            steps = series.setdefault(f"{match[1]}N{match[3]}", [])
            steps.append(CheckpointPoint(int(match[2]), row.elo.value, row))
    return {
        name: sorted(steps, key=lambda step: (step.number, step.row.player))
        for name, steps in series.items()
        if len(steps) > 1
    }


def steps(players: Sequence[RatedPlayer], axes: Axes) -> None:
    """Draw the rating of checkpoints over their steps, and each other player as a line across."""
    all_series = series_of(players)
    for name, checkpoints in all_series.items():
        numbers = [step.number for step in checkpoints]
        axes.plot(numbers, [step.elo for step in checkpoints], marker="o", label=name)
        for number, _, row in checkpoints:
            if row.elo.low is not None and row.elo.high is not None:
                axes.plot([number] * 2, [row.elo.low, row.elo.high], color=DRAW_COLOUR, zorder=0)
    in_series = {step.row.player for checkpoints in all_series.values() for step in checkpoints}
    for row in players:
        if row.elo.value is not None and row.player not in in_series:
            axes.axhline(row.elo.value, color=LOSS_COLOUR, linestyle=":")
            axes.annotate(
                _short(row.player), (1, row.elo.value), xycoords=("axes fraction", "data")
            )
    axes.set_xlabel("step")
    axes.set_ylabel("Elo with 95 % interval")
    axes.set_title("Ratings over steps")
    axes.legend()
    axes.grid(axis="y", alpha=0.3)


def _interval(row: RangePoint, height: float, ends: tuple[float, float], axes: Axes) -> None:
    """Draw a number. An end of its interval without a bound, or far off, has an arrow."""
    least, most = ends
    if (row.low, row.high) != (None, None):
        low = least if row.low is None else max(row.low, least)
        high = most if row.high is None else min(row.high, most)
        axes.plot([low, high], [height, height], color=WIN_COLOUR)
        for end, is_cut, mark in ((low, low == least, "<"), (high, high == most, ">")):
            axes.plot(end, height, marker=mark if is_cut else "|", color=WIN_COLOUR)
    axes.plot(row.value, height, marker="o", color=WIN_COLOUR)


def results(title: str, rows: Sequence[ShareRow], axes: Axes) -> None:
    """Draw wins, draws and losses of each row as parts of a bar."""
    places = [*range(len(rows))]
    begins = [0.0] * len(rows)
    kinds = (
        ("won", WIN_COLOUR, "white"),
        ("drawn", DRAW_COLOUR, "#1d2126"),
        ("lost", LOSS_COLOUR, "white"),
    )
    for part, (kind, colour, ink) in enumerate(kinds):
        widths = [100 * row.shares[part] for row in rows]
        axes.barh(places, widths, left=begins, color=colour, label=kind, height=0.7)
        for place, begin, width in zip(places, begins, widths, strict=True):
            if width >= 8:  # with room for the number
                middle = begin + width / 2
                axes.text(middle, place, f"{width:.0f} %", ha="center", va="center", color=ink)
        begins = [begin + width for begin, width in zip(begins, widths, strict=True)]
    axes.set_yticks(places, [_named(row) for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("games in %")
    axes.set_title(_short(title, MAX_TITLE), pad=28)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _named(row: ShareRow) -> str:
    games = "" if row.games is None else f"\n{row.games} games"
    return _short(row.name) + games


def llr(played: SprtFight, axes: Axes) -> None:
    """Draw the log-likelihood ratio of a sequential test at every look, between its bounds."""
    test = played.test
    looks = [(0, 0.0), *((pairs, value) for pairs, value in played.path if value is not None)]
    axes.plot([pairs for pairs, _ in looks], [value for _, value in looks], color=WIN_COLOUR)
    axes.plot(*looks[-1], marker="o", color=WIN_COLOUR)
    for bound, name, elo in ((test.upper, "H1", test.elo1), (test.lower, "H0", test.elo0)):
        axes.axhline(bound, color=LOSS_COLOUR, linestyle="--")
        says = f"{name}: {elo:g} Elo"
        side = axes.get_yaxis_transform()
        axes.annotate(says, (0, bound), (4, 3), side, "offset points")
    axes.axhline(0, color=DRAW_COLOUR, linewidth=0.8)
    axes.set_xlabel("pairs of games")
    axes.set_ylabel("log-likelihood ratio")
    axes.margins(y=0.12)
    a, b = played.fight.players
    axes.set_title(_short(f"Sequential test of {a} against {b}", MAX_TITLE))


def strength(history: History, axes: Axes) -> None:
    """Draw the strength of a player over its regression runs, a line for each of its checks."""
    checks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in history.rows:
        if row["score"] is not None:
            checks.setdefault((row["game"], row["check"]), []).append(row)
    dates = sorted({(row["date"], row["run"]) for rows in checks.values() for row in rows})
    places = {run: place for place, (_, run) in enumerate(dates)}
    for (game, check), rows in checks.items():
        runs = [places[row["run"]] for row in rows]
        scores = [100 * float(Fraction(row["score"])) for row in rows]
        [line] = axes.plot(runs, scores, marker="o", label=_short(f"{game}, {check}"))
        for place, row in zip(runs, rows, strict=True):
            if row.get("low") is not None and row.get("high") is not None:
                ends = [100 * row["low"], 100 * row["high"]]
                axes.plot([place, place], ends, color=line.get_color())
    step = max(1, -(-len(dates) // MAX_LABELS))
    axes.set_xticks(range(0, len(dates), step), [str(date)[:10] for date, _ in dates][::step])
    axes.set_ylabel("score in %")
    axes.set_title(_short(f"Strength of {history.player}", MAX_TITLE))
    axes.grid(alpha=0.3)
    axes.legend()


def curve(training: Training, axes: Axes) -> None:
    """Draw the exact score of a learner against each opponent, after this many games."""
    games = [point.games for point in training.curve]
    for name in training.curve[0].scores:
        scores = [100 * float(point.scores[name]) for point in training.curve]
        label = _short(f"against {name}")
        axes.plot(games, scores, marker="o", markersize=4, label=label)
    axes.set_xscale("symlog", linthresh=1, linscale=0.4)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylim(-2, 102)  # with room for the markers at both ends
    axes.set_xlabel("games trained")
    axes.set_ylabel("exact score in %")
    course = training.course
    axes.set_title(
        _short(
            f"lms with {','.join(course.features)}, trained against {course.against}"
            f" from {course.start} boards",
            MAX_TITLE,
        )
    )
    axes.grid(alpha=0.3)
    axes.legend()


def _short(text: str, letters: int = MAX_NAME) -> str:
    """Return a text that prints, cut to this many letters."""
    text = escape.line(text)
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
