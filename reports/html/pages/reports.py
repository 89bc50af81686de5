"""Show several results on one page, with their games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from arena.records.reports import Report, ReportPart
from arena.reports.entrants import shown_players, stored_players
from arena.reports.html.document import Link, Links, Section, document
from arena.reports.html.packing import MAX_PAGE_GAMES, packed, packed_run
from arena.reports.html.pages.sections import parts_of
from arena.reports.single_games import FightGames, games_of_part


def html(report: Report, links: Links = ()) -> str:
    """Return the page of a report. A server adds ``links`` to its other pages."""
    room, runs, sections, titles = MAX_PAGE_GAMES, [], [], []
    for number, part in enumerate(report.parts, 1):
        fights = games_of_part(part, room)
        number_of_games = sum(len(games) for _, games in fights)
        room -= number_of_games
        runs.append(
            packed_run(part.rules, fights) if part.rules is not None and number_of_games else {}
        )
        title, subtitle, parts = parts_of(part.result, link_to(number, fights))
        titles.append((title, subtitle))
        if len(report.parts) > 1:
            sections.append(Section(f"{title} ({part.name})", is_part=True, lead=subtitle))
        sections += parts
        sections += _alike(part)
        sections += missing(part, number_of_games)
    if report.left_out:
        sections.append(Section("Left out", "notes.html", {"lines": list(report.left_out)}))
    title, subtitle = titles[0]
    if len(titles) > 1:
        title, subtitle = f"{len(titles)} results", ", ".join(dict.fromkeys(t for t, _ in titles))
    return document(title, subtitle, sections, packed(runs) if any(runs) else "", links=links)


def _alike(part: ReportPart) -> Iterator[Section]:
    """Yield the section of the entrants that play alike, if any do."""
    stored, short = stored_players(part.result), shown_players(part.result)
    names = dict(zip(chain(*stored), chain(*short), strict=True))
    groups = [
        replace(alike, players=tuple(names.get(name, name) for name in alike.players))
        for alike in part.identical
    ]
    if groups:
        yield Section("Alike", "identical.html", {"groups": groups})


def link_to(run: int, fights: Sequence[FightGames]) -> Link:
    """Return the links to the games of a run's fights."""

    def link(place: int) -> str | None:
        return f"#g/{run}/{place + 1}" if place < len(fights) and fights[place][1] else None

    return link


def missing(part: ReportPart, games: int) -> Iterator[Section]:
    """Yield a section about the games that a page lacks, which has this many."""
    stored = sum(len(fight["games"]) for fight in part.fights)
    if games < stored:
        line = f"{stored} games were kept; this file has {games}, those that were lost first"
        yield Section("Games", "notes.html", {"lines": [line]})
