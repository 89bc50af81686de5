"""Choose what the page of a record has: sections of its own, or its tables as in any format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from arena.records.base import Record
from arena.records.tournaments import TournamentResult
from arena.reports.html.document import Section
from arena.reports.names import shortened
from arena.reports.page import page
from arena.reports.pages.answers import answer_lines
from arena.reports.rounds import bracket_block, rounds_table

#: The link to the games of the fight in this place of a record, None if they are not there.
Link = Callable[[int], str | None]

#: The module of ``pages`` that knows a schema.
_HOMES = {
    "arena.fight/1": "fights",
    "arena.tournament/1": "tournaments",
}

#: The module that draws pictures beside the tables of a kind of record.
DRAWN = {
    "ExactResult": "arena.reports.html.pages.exact",
    "History": "arena.reports.html.pages.history",
    "RegressionReport": "arena.features.regress.html",
    "Training": "arena.reports.html.pages.training",
}

#: The records whose pictures stand above the tables.
ABOVE = ("History", "Training")


def parts_of(record: Record, link: Link) -> tuple[str, str, Sequence[Section]]:
    """Return the title of a record's page, a line below it, and its sections."""
    record = shortened(record)
    json = record.as_json()
    home = _HOMES.get(json.get("schema", ""))
    if home is None:
        plain = import_module("arena.reports.html.pages.plain")
        drawn = DRAWN.get(type(record).__name__)
        pages = import_module(drawn) if drawn else None
        pictures: list[Section] = pages.pictures(record) if pages else []
        tables = Section("Result", "plain.html", plain.parts(record))
        both = [*pictures, tables] if type(record).__name__ in ABOVE else [tables, *pictures]
        return plain.title_of(record), "", both
    module = import_module(f"arena.reports.html.pages.{home}")
    title, subtitle, sections = module.parts(json, link)
    lines = _notes(record)
    notes = [Section("Notes", "notes.html", {"lines": lines})] if lines else []
    return title, subtitle, [*_answer(record), *sections, *_rounds(record), *notes]


def _answer(record: Record) -> list[Section]:
    """Return the answer to the question that ended a tournament."""
    if not isinstance(record, TournamentResult) or record.until is None:
        return []
    return [Section("Answer", "notes.html", {"lines": answer_lines(record.until)})]


def _rounds(record: Record) -> list[Section]:
    """Return the rounds of a tournament that went by them, and the bracket of a knockout."""
    if not isinstance(record, TournamentResult) or record.state is None:
        return []
    plain = import_module("arena.reports.html.pages.plain")
    drawn = bracket_block(record.state) if record.schedule == "knockout" else []
    shown = [*drawn, rounds_table(record.state)]
    return [Section("Rounds", "plain.html", {"parts": [*map(plain.part_for_template, shown)]})]


def _notes(record: Record) -> list[str]:
    """Return the lines of a record's page, without those above a table; none is broken in two."""
    parts = page(record)
    lines = [
        part + (" " if part.endswith(":") else "\n")
        for part, below in zip(parts, [*parts[1:], ""], strict=True)
        if isinstance(part, str) and not (part.endswith(":") and not isinstance(below, str))
    ]
    return "".join(lines).splitlines()
