"""Show a tournament: standings with ratings, the cross table, every pairing, and the forfeits."""

from __future__ import annotations

from arena.records.tournaments import TournamentResult
from arena.reports.columns.fights import paired_rows
from arena.reports.columns.ratings import has_intervals
from arena.reports.columns.standings import StandingRow, StandingTable, standing_tables
from arena.reports.html.cross import cross_rows
from arena.reports.html.document import GamesLink, PageParts, Section
from arena.reports.html.pages.fights import FEW_PAIRINGS, MAX_PAIRINGS, forfeits, pairings
from arena.reports.html.tables import Grid, grid_of_rows

_LEAD = "The score of A in all games, and in those in which it moved first and second."


def parts(tournament: TournamentResult, link: GamesLink) -> PageParts:
    """Return the title, a line below it, and the sections."""
    fights = tournament.fights
    games = sum(fight.total.games for fight in fights)
    subtitle = (
        f"{tournament.schedule} of {len(tournament.standings)} players, {games} games,"
        f" seed {tournament.seed}"
    )
    links = [link(place) for place in range(len(fights))]
    most = len(fights) if len(fights) <= MAX_PAIRINGS else FEW_PAIRINGS
    rest = f" These are the first {most} of {len(fights)}." * (most < len(fights))
    lead = f"A's {tournament.unit} per game." if tournament.unit else _LEAD
    cross = {"rows": cross_rows(tournament, links), "linked": any(links)}
    sections = [
        _standings(tournament),
        Section("Cross table", "cross.html", cross),
        *forfeits(fights, link),
        pairings("Pairings", lead + rest, paired_rows(fights[:most]), links[:most]),
    ]
    if tournament.unit:
        sections = [section for section in sections if section.title != "Cross table"]
    return f"Tournament at {tournament.game}", subtitle, sections


def _standings(tournament: TournamentResult) -> Section:
    """Return the section of the standings."""
    tables = [(table.lead, _grid(table)) for table in standing_tables(tournament)]
    elos = [row.elo for table in standing_tables(tournament) for row in table.rows]
    values = {"tables": tables, "has_intervals": has_intervals(elos)}
    return Section("Standings", "standings.html", values)


def _grid(table: StandingTable) -> Grid:
    """Return a table in groups of players whose ratings compare."""
    groups: dict[int, list[StandingRow]] = {}
    for row in table.rows:
        groups.setdefault(row.rating.group if row.rating else 0, []).append(row)
    return grid_of_rows(table.columns, [groups[group] for group in sorted(groups)], "standings")
