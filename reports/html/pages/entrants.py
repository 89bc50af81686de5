"""Show the results of one entrant for its author: its games and its opponents."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.base import Tally
from arena.records.fought import Fought
from arena.records.ratings import Estimated
from arena.records.reports import (
    EntrantFight,
    EntrantReport,
    EntrantResult,
    EntrantTable,
    ReportPart,
)
from arena.records.tables import TableStanding, mean_over
from arena.reports.cells import Cell, nearest, payoff_cell, percent, rank_cell
from arena.reports.columns.fights import FightRow
from arena.reports.columns.ratings import rating_interval
from arena.reports.html.document import GamesLink, Links, Section, document
from arena.reports.html.pages.fights import forfeits, pairings
from arena.reports.html.pages.plain import part_for_template
from arena.reports.html.pages.reports import games_of_parts, packed_games
from arena.reports.html.pages.tables import section_of_tables
from arena.reports.html.tables import with_minus
from arena.reports.html.trends import Point
from arena.reports.page import Table
from arena.reports.single_games import FightGames

#: Most texts of a page that the entrant printed.
MAX_PRINTED = 50


def html(
    report: EntrantReport, links: Links = (), more: str = "", curve: Sequence[Point] = ()
) -> str:
    """Return the page of an entrant. A server adds ``links`` to its other pages, and a script.

    ``curve`` has the scores of the players with which it took part, the oldest first.
    """
    parts, sections = games_of_parts(report.parts), _curve(report.player, curve)
    for each in parts:
        if len(parts) > 1:
            sections.append(Section(_title(each.part), is_part=True))
        sections += _parts(_result(each.part), report.player, each.link)
        sections += [*_printed(each.fights), *each.missing()]
    subtitle = ", ".join(dict.fromkeys(map(_title, report.parts)))
    games = packed_games(parts)
    return document(report.player, subtitle, sections, games, links=links, more=more)


def score_of(part: ReportPart, player: str) -> float | None:
    """Return the score of an entrant in all games of a part.

    It is None without a game, and in a game with payoffs of its own.
    """
    fights = _fights(_result(part), player)
    is_paid = any(each.fight.paid is not None for each in fights)
    return None if is_paid else _total(fights).score


def _curve(player: str, points: Sequence[Point]) -> list[Section]:
    """Return the section of a curve of two points or more."""
    if len(points) < 2:
        return []
    pictures = [("Score against the players that it met", [(player, points)])]
    return [Section("Hand-ins", "trend.html", {"pictures": pictures})]


def _printed(fights: Sequence[FightGames]) -> list[Section]:
    """Return the section of what the entrant printed, if it printed anything."""
    rows: list[list[Cell]] = [
        [", ".join([" \u2013 ".join(names), game.round]), entry.ply + 1, entry.text.rstrip()]
        for names, games in fights
        for game in games
        for entry in game.notes.printed
    ]
    if not rows:
        return []
    more = f"the first {MAX_PRINTED} of {len(rows)}" if len(rows) > MAX_PRINTED else ""
    table = part_for_template(Table(["game", "move", "text"], rows[:MAX_PRINTED]))
    return [Section("Printed", "plain.html", {"parts": [table]}, lead=more)]


def _result(part: ReportPart) -> EntrantResult:
    assert isinstance(part.result, EntrantResult)
    return part.result


def _title(part: ReportPart) -> str:
    result = _result(part)
    return f"{result.schedule} at {result.game} ({part.name})"


def _parts(result: EntrantResult, player: str, link: GamesLink) -> list[Section]:
    fights = _fights(result, player)
    fought: Sequence[Fought]
    if result.tables or isinstance(result.standing, TableStanding):
        fought = tables = [each.table for each in result.tables]
        facts, played = _paid(result.tables), section_of_tables(tables, link)
    else:
        fought, facts = [each.fight for each in result.fights], _scored(fights)
        rows = [FightRow(each.fight, each) for each in fights]
        links = [link(place) for place in range(len(fights))]
        is_paid = any(each.fight.paid is not None for each in fights)
        played = pairings("Opponents", _PAID_LEAD if is_paid else _LEAD, rows, links)
    return [
        Section("Result", "facts.html", {"facts": [*_rank(result), *facts, *_elo(result.elo)]}),
        *forfeits(fought, link),
        played,
    ]


def _fights(result: EntrantResult, player: str) -> list[EntrantFight]:
    """Return the fights of an entrant, with it as A."""
    return [each if each.fight.a.name == player else each.reversed() for each in result.fights]


def _total(fights: Sequence[EntrantFight]) -> Tally:
    return sum((each.fight.total for each in fights), Tally())


_LEAD = "A is the entrant of this page: its score in all games, moving first and moving second."
_PAID_LEAD = "A is the entrant of this page."


#: Facts by their names, as a page shows them.
Facts = list[tuple[str, str]]


def _rank(result: EntrantResult) -> Facts:
    standing = result.standing
    if standing is None or standing.shown_rank is None:
        return []
    rank = ("rank", f"{standing.shown_rank} of {result.entrants}")
    if standing.rank_low is None:
        return [rank]
    ranks = rank_cell(standing.rank_low, standing.rank_high)
    return [rank, ("ranks that are possible", str(ranks))]


def _scored(fights: Sequence[EntrantFight]) -> Facts:
    total = _total(fights)
    paid = [(each.fight.paid, each.fight.total.games) for each in fights]
    if fights and (first := paid[0][0]) is not None:
        means = ((None if pays is None else pays.mean, games) for pays, games in paid)
        payoff = payoff_cell(
            mean_over((None if mean is None else float(mean), games) for mean, games in means),
            first.least < 0,
        )
        return [(f"{first.unit} per game", with_minus(payoff)), ("games", str(total.games))]
    return [
        ("score", percent(total.score)),
        ("won", str(total.wins)),
        ("drawn", str(total.draws)),
        ("lost", str(total.losses)),
    ]


def _paid(tables: Sequence[EntrantTable]) -> Facts:
    """Return the facts of an entrant at tables: its mean payoff and place over all its games."""
    games = sum(each.row.games for each in tables)
    if not tables:
        return [("games", "0")]
    unit, is_signed = tables[0].table.unit, tables[0].table.least < 0
    payoff = mean_over([(each.row.payoff, each.row.games) for each in tables])
    place = mean_over([(each.row.place, each.row.games) for each in tables])
    return [
        (f"{unit} per game", with_minus(payoff_cell(payoff, is_signed))),
        ("place", "-" if place is None else f"{place:.2f}"),
        ("games", str(games)),
    ]


def _elo(elo: Estimated | None) -> Facts:
    if elo is None or elo.value is None:
        return []
    return [
        ("Elo", with_minus(nearest(elo.value))),
        ("95 % interval", with_minus(rating_interval(elo))),
    ]
