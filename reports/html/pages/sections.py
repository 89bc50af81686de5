"""Choose the sections of the page of a record: those for HTML, or its tables as in any format."""

from __future__ import annotations

from arena.records.base import Record
from arena.records.methods import WithMethods
from arena.records.tables import TablesResult
from arena.records.tournaments import TournamentResult
from arena.reports.html.document import GamesLink, PageParts, Section
from arena.reports.html.pages import fights, plain, tables, tournaments
from arena.reports.names import legend, shortened
from arena.reports.page import home_of, import_if_there, page
from arena.reports.pages.answers import answer_lines
from arena.reports.rounds import bracket_block, rounds_table


def parts_of(record: Record, link: GamesLink) -> PageParts:
    """Return the title of a record's page, a line below it, and its sections."""
    names, record = legend(record), shortened(record)
    result = record.record if isinstance(record, WithMethods) else record
    if isinstance(result, TournamentResult):
        title, subtitle, sections = tournaments.parts(result, link)
        sections = [*_answer(result), *sections, *_rounds(result)]
    elif isinstance(result, TablesResult):
        title, subtitle, sections = tables.parts(result, link)
    elif isinstance(result, fights.OneFight):
        title, subtitle, sections = fights.parts(result, link)
    else:
        return plain.title_of(result), "", _plain_sections(record, result)
    lines = [*_notes(record), *names]
    notes = [Section("Notes", "notes.html", {"lines": lines})] if lines else []
    return title, subtitle, [*sections, *notes]


def _plain_sections(record: Record, result: Record) -> list[Section]:
    home = home_of(type(result)).removesuffix(".page")
    if home.startswith("arena.features."):
        import_if_there(f"{home}.html")  # adds pictures
    return plain.sections(result, Section("Result", "plain.html", plain.parts(record)))


def _answer(tournament: TournamentResult) -> list[Section]:
    """Return the answer to the question that ended a tournament."""
    if tournament.until is None:
        return []
    return [Section("Answer", "notes.html", {"lines": answer_lines(tournament.until)})]


def _rounds(tournament: TournamentResult) -> list[Section]:
    """Return the rounds of a tournament that went by them, and the bracket of a knockout."""
    state = tournament.state
    if state is None:
        return []
    bracket = bracket_block(state) if tournament.schedule == "knockout" else []
    parts = plain.parts_for_template([*bracket, rounds_table(state)])
    return [Section("Rounds", "plain.html", {"parts": parts})]


def _notes(record: Record) -> list[str]:
    """Return the lines of a record's page, unbroken, without those above a table."""
    parts = page(record)
    lines = [
        part + (" " if part.endswith(":") else "\n")
        for part, below in zip(parts, [*parts[1:], ""], strict=True)
        if isinstance(part, str) and not (part.endswith(":") and not isinstance(below, str))
    ]
    return "".join(lines).splitlines()
