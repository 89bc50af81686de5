"""What is shown of ratings and of plans."""

from __future__ import annotations

import textwrap

from arena.rated import Estimated, Plan, RatingTable
from arena.reports.cells import Cell, percent
from arena.reports.page import Page, Table, page

#: Sentences of many names are broken after so many characters.
WIDTH = 80

#: The headers of the cells of :func:`rated`.
RATED = ("Elo", "95 % interval")


@page.register
def _(ratings: RatingTable) -> Page:
    headers = ["rank", "player", "games", "wins", "draws", "losses", *RATED]
    rows = [
        [rank, row.player, row.tally.games, *_results(row.tally.as_json()), *rated(row.elo)]
        for rank, row in enumerate(ratings.players, start=1)
    ]
    return [Table(headers, rows), *facts(ratings)]


@page.register
def _(plan: Plan) -> Page:
    rows: list[list[Cell]] = []
    for test in plan.tests:
        h1 = "" if test.accepts_h1 is None else percent(test.accepts_h1)
        games = test.reason or "-" if test.pairs is None else f"{2 * test.pairs}"
        rows.append([test.aim, games, _duration(test.seconds), h1])
    a, b = plan.players or ("A", "B")
    settings = plan.settings
    speed = "" if plan.rate is None else f", {plan.rate:.0f} games a second"
    pairs = sum(plan.counts)
    trial = "1 pair" if pairs == 1 else f"{pairs} pairs"
    warning = "a single pair tells little: more of a trial, or of chance in the players, is needed"
    return [
        f"What {a} against {b} takes at {plan.game}:",
        Table(["to know", "games", "time", "accepts H1"], rows),
        *([warning] if pairs == 1 else []),
        f"by a trial of {trial} with a score of {percent(plan.score)}{speed}",
        f"test of {settings['elo0']:g} against {settings['elo1']:g} Elo at risks of"
        f" {settings['alpha']:g} and {settings['beta']:g}; its length is an expectation",
    ]


def rated(elo: Estimated) -> list[Cell]:
    """A rating and its interval."""
    return [_whole(elo.value), _interval(elo)]


def facts(ratings: RatingTable) -> list[str]:
    """What the ratings alone do not tell."""
    first, draws = ratings.advantage, ratings.draws
    lines = [line for said in ratings.statements for line in textwrap.wrap(said, WIDTH)]
    if first.value is not None:
        lines.append(f"moving first is worth {_whole(first.value)} Elo ({_interval(first)})")
    elif first.reason:
        lines.append(f"what moving first is worth is not known: {first.reason}")
    if draws.value is not None:
        lines.append(f"even players draw {percent(draws.value / (2 + draws.value))} of their games")
    return lines


def _results(tally: dict[str, int]) -> list[Cell]:
    return [tally["wins"], tally["draws"], tally["losses"]]


def _whole(value: float | None) -> str:
    return "-" if value is None else f"{round(value)}"


def _interval(number: Estimated) -> str:
    if number.low is None or number.high is None:
        return "-"
    return f"{_whole(number.low)} to {_whole(number.high)}"


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1 else "under a second"
