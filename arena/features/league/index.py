"""Lay out the first page of a league: the standings, how they came to be, and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from arena.features.league.comparison import value_of
from arena.features.league.files import League
from arena.features.league.publication import PUBLISHED_STORE
from arena.features.league.season import ARCHIVE_FOLDER
from arena.records.base import Json
from arena.reports.cells import percent
from arena.reports.html.document import Section, document
from arena.reports.html.tables import Grid, GridCell, with_minus
from arena.reports.html.trends import Point

if TYPE_CHECKING:
    from arena.records.tournaments import TournamentResult

#: All pairings with their games, and the folder with a page for each player.
REPORT_PAGE, ENTRANT_PAGES = "report.html", "players"

#: Commits whose standings the page has, and players that it draws, or lists of a commit.
MAX_LISTED_COMMITS, MAX_DRAWN_PLAYERS = 50, 8


def index_html(
    league: League,
    standings: TournamentResult,
    history: Sequence[Json],
    addresses: Mapping[str, str],
    archives: Sequence[str],
) -> str:
    """Return the page. ``addresses`` are those of players' pages, ``archives`` earlier seasons."""
    season = str(history[-1]["season"])
    latest = takewhile(lambda entry: entry["season"] == season, reversed(history))
    going_on = [*islice(latest, MAX_LISTED_COMMITS)][::-1]
    sections = [_section("Standings", [("table", _standings(standings, addresses))])]
    if pictures := [*_pictures(going_on)]:
        sections.append(Section("History", "trend.html", {"pictures": pictures}))
    sections.append(_section("Commits", [("table", _commits(going_on))]))
    if lines := [line for line in league.contest.rules.splitlines() if line]:
        sections.append(_section("Rules", [("line", line) for line in lines]))
    links = [
        (REPORT_PAGE, "All games"),
        (PUBLISHED_STORE, "The store"),
        *((f"{ARCHIVE_FOLDER}/{each}/{REPORT_PAGE}", f"Season {each}") for each in archives),
    ]
    subtitle = f"{standings.game}, season {season}" if season else standings.game
    return document(league.contest.title or "League", subtitle, sections, links=links)


def shown_value(value: float | None, unit: str) -> str:
    """Show what decides ranks: a score in percent, or a payoff.

    >>> shown_value(0.5, ""), shown_value(-0.25, "chips"), shown_value(None, "")
    ('50.00 %', '-0.25', '-')
    """
    return percent(value) if value is None or not unit else f"{value:+.4g}"


def _section(title: str, parts: Sequence[tuple[str, Any]]) -> Section:
    return Section(title, "plain.html", {"parts": parts})


def _standings(result: TournamentResult, addresses: Mapping[str, str]) -> Grid:
    kinds = ["number", "text", *["number"] * 5]
    headers = ["rank", "player", "games", "wins", "draws", "losses", result.unit or "score"]
    rows = []
    for row in result.standings:
        tally, value = row.tally, shown_value(value_of(row), result.unit)
        numbers = (tally.games, tally.wins, tally.draws, tally.losses, with_minus(value))
        link, label = addresses.get(row.player, ""), f"the games of {row.player}"
        name = GridCell(row.player, "text", link=link, link_label=label)
        rank = GridCell(row.shown_rank or "-", "number")
        rows.append([rank, name, *(GridCell(number, "number") for number in numbers)])
    return Grid("standings", list(zip(headers, kinds, strict=True)), [rows])


def _commits(history: Sequence[Json]) -> Grid:
    headers = [("commit", "text"), ("date", "text"), ("standings", "wide")]
    rows = [
        [
            GridCell(str(entry["commit"])[:12], "text", is_header=True),
            GridCell(str(entry["date"])[:10], "text"),
            GridCell(_order(entry["standings"]), "wide"),
        ]
        for entry in reversed(history)
    ]
    return Grid("commits", headers, [rows])


def _order(rows: Sequence[Json]) -> str:
    listed = ", ".join(f"{row['rank'] or '-'} {row['player']}" for row in rows[:MAX_DRAWN_PLAYERS])
    more = len(rows) - MAX_DRAWN_PLAYERS
    return f"{listed} and {more} more" if more > 0 else listed


def _pictures(history: Sequence[Json]) -> Iterator[tuple[str, list[tuple[str, list[Point]]]]]:
    """Yield the scores of each of the first players over the commits, from two of these on."""
    if any(entry["unit"] for entry in history):
        return  # payoffs have no common scale
    for row in history[-1]["standings"][:MAX_DRAWN_PLAYERS]:
        points = [
            Point(str(entry["commit"])[:7], each["value"])
            for entry in history
            for each in entry["standings"]
            if each["player"] == row["player"] and each["value"] is not None
        ]
        if len(points) > 1:
            yield row["player"], [(row["player"], points)]
