"""Lay out what the workflows of a league find."""

from __future__ import annotations

from collections.abc import Sequence

from arena import escape
from arena.errors import counted
from arena.features.league.record import (
    LeagueComparison,
    LeagueEntry,
    LeaguePairing,
    LeagueRow,
    LeagueSite,
    Season,
)
from arena.reports.cells import Cell, percent
from arena.reports.page import Block, Detail, Note, Page, Rows, Table, flat, page


def _block(sentences: Sequence[str]) -> Block:
    """Return sentences as they are: a file's name in them may be anything, such as Markdown."""
    return Block("\n".join(f"- {escape.line(each)}" for each in sentences))


@page.register
def _entry_page(entry: LeagueEntry) -> Page:
    if not entry.accepted:
        return ["The entry is refused:", _block(entry.problems)]
    verdict = f"The entry is accepted: {entry.entrant} is {entry.change}, by {entry.author}"
    return [verdict, *(Detail(f"it changes {file}") for file in entry.files)]


@flat.register
def _entry_rows(entry: LeagueEntry) -> Rows:
    header = ["entrant", "change", "author", "problem"]
    facts = [entry.entrant, entry.change, entry.author]
    return [header, *([*facts, problem] for problem in entry.problems or ("",))]


@page.register
def _comparison_page(comparison: LeagueComparison) -> Page:
    if comparison.problems:
        return ["The store is not accepted:", _block(comparison.problems)]
    changes = [f"{name} is {change}" for name, change in comparison.entrants.items()]
    unit = comparison.unit
    parts: list[str | Table | Block] = [", ".join(changes) or "No entrant changed"]
    if comparison.faults:
        parts += ["It does not play as it should:", _block(comparison.faults)]
    headers = ["player", "rank before", "rank", "before", unit or "score", "gain"]
    parts.append(Table(headers, [_row(row, unit) for row in comparison.standings]))
    if comparison.pairings:
        new = ["new pairing", "games", unit or "score", "95 % interval"]
        parts.append(Table(new, [_pairing(each, unit) for each in comparison.pairings]))
    return parts


def _row(row: LeagueRow, unit: str) -> list[Cell]:
    ranks = [rank or "-" for rank in (row.rank_before, row.rank)]
    values = [_value(value, unit) for value in (row.score_before, row.score)]
    return [row.player, *ranks, *values, _gain(row, unit)]


def _gain(row: LeagueRow, unit: str) -> str:
    """Show what a player gained, in percentage points or in the unit."""
    if row.score is None or row.score_before is None:
        return ""
    gain = row.score - row.score_before
    return f"{gain:+.4g}" if unit else f"{100 * gain:+.2f}"


def _pairing(pairing: LeaguePairing, unit: str) -> list[Cell]:
    interval = ""
    if pairing.low is not None and pairing.high is not None:
        interval = f"{_value(pairing.low, unit)} to {_value(pairing.high, unit)}"
    names = " - ".join(pairing.players)
    return [names, pairing.games, _value(pairing.score, unit), interval]


def _value(value: float | None, unit: str) -> str:
    return percent(value) if value is None or not unit else f"{value:+.4g}"


@flat.register
def _comparison_rows(comparison: LeagueComparison) -> Rows:
    header = ["player", "rank_before", "rank", "score_before", "score"]
    return [header, *([getattr(row, key) for key in header] for row in comparison.standings)]


@page.register
def _site_page(site: LeagueSite) -> Page:
    if not site.written:
        return ["Nothing is published:", _block(site.problems)]
    of = f" of season {site.season}" if site.season else ""
    line = f"{counted(len(site.files), 'file')}{of} in {site.folder}, at commit {site.commit}"
    return [line, *map(Detail, site.files)]


@flat.register
def _site_rows(site: LeagueSite) -> Rows:
    facts = [site.folder, site.season, site.commit]
    rows = [[*facts, file, ""] for file in site.files]
    rows += [[*facts, "", problem] for problem in site.problems]
    return [["folder", "season", "commit", "file", "problem"], *rows]


@page.register
def _season_page(season: Season) -> Page:
    if season.problems:
        return [f"Season {season.season} does not hold:", _block(season.problems)]
    if season.seed is not None:
        opened = f"Season {season.season} is as it was committed to: seed {season.seed}"
        return [opened, f"commitment {season.commitment}", Detail(f"nonce {season.nonce}")]
    sealed = [f"Season {season.season} is sealed", f"commitment {season.commitment}"]
    if not season.hint:
        return sealed
    return [*sealed, Note(f"give {season.hint} to the forge as a secret, then delete the file")]


@flat.register
def _season_rows(season: Season) -> Rows:
    header = ["season", "commitment", "seed", "nonce", "problem"]
    facts = [season.season, season.commitment, season.seed, season.nonce]
    return [header, *([*facts, problem] for problem in season.problems or ("",))]
