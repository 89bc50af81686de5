"""Show several results on one page, with their games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from arena.records.base import Json
from arena.records.reports import Report, ReportPart
from arena.reports.entrants import shown_players, stored_players
from arena.reports.html.document import Links, Section, document
from arena.reports.html.packing import MAX_PAGE_GAMES, packed, packed_run
from arena.reports.html.pages.plain import part_for_template
from arena.reports.html.pages.sections import parts_of
from arena.reports.pages.leaderboards import leaderboard_facts, leaderboard_table
from arena.reports.single_games import FightGames, games_of_part, number_of_games


class PartGames(NamedTuple):
    """The games that a page has of a part of a report."""

    part: ReportPart
    #: The number of the part, from 1.
    number: int
    fights: Sequence[FightGames]

    @property
    def size(self) -> int:
        """The number of games."""
        return sum(len(games) for _, games in self.fights)

    @property
    def run(self) -> Json:
        """The games as a page has them, which are empty without any."""
        rules = self.part.rules
        return packed_run(rules, self.fights) if rules is not None and self.size else {}

    def link(self, place: int) -> str | None:
        """Return the address of the games of a fight, if the page has any."""
        has_games = place < len(self.fights) and self.fights[place][1]
        return f"#g/{self.number}/{place + 1}" if has_games else None

    def missing(self) -> list[Section]:
        """Return the section about the games that the page lacks, if it lacks any."""
        stored = number_of_games(self.part)
        if self.size == stored:
            return []
        line = f"{stored} games were kept; this file has {self.size}, those that were lost first"
        return [Section("Games", "notes.html", {"lines": [line]})]


def games_of_parts(parts: Iterable[ReportPart]) -> list[PartGames]:
    """Return the games of each part, all together at most MAX_PAGE_GAMES."""
    room, with_games = MAX_PAGE_GAMES, []
    for number, part in enumerate(parts, 1):
        with_games.append(PartGames(part, number, games_of_part(part, room)))
        room -= with_games[-1].size
    return with_games


def packed_games(parts: Iterable[PartGames]) -> str:
    """Return the games of all parts as a text for a page, which is empty without any."""
    runs = [part.run for part in parts]
    return packed(runs) if any(runs) else ""


def html(report: Report, links: Links = ()) -> str:
    """Return the page of a report. A server adds ``links`` to its other pages."""
    sections, titles = [], []
    parts = games_of_parts(report.parts)
    if (board := report.leaderboard) is not None:
        table = part_for_template(leaderboard_table(board))
        lead = leaderboard_facts(board)
        sections.append(Section("All games", "plain.html", {"parts": [table]}, lead=lead))
    for each in parts:
        title, subtitle, result = parts_of(each.part.result, each.link)
        titles.append((title, subtitle))
        if len(parts) > 1:
            sections.append(Section(f"{title} ({each.part.name})", is_part=True, lead=subtitle))
        sections += [*result, *_alike(each.part), *each.missing()]
    if report.left_out:
        sections.append(Section("Left out", "notes.html", {"lines": list(report.left_out)}))
    title, subtitle = titles[0]
    if len(titles) > 1:
        title, subtitle = f"{len(titles)} results", ", ".join(dict.fromkeys(t for t, _ in titles))
    return document(title, subtitle, sections, packed_games(parts), links=links)


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
