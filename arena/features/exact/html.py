"""Show the lines of an exact result in which a player loses."""

from __future__ import annotations

from arena.records.proofs import ExactResult
from arena.reports.html.document import Section
from arena.reports.html.pages.plain import parts_for_template, sections
from arena.reports.steps import steps


@sections.register
def _exact_sections(exact: ExactResult, tables: Section) -> list[Section]:
    """Return the tables, and below them a section of boards for each line."""
    a, b = exact.players
    opponents = {a: b, b: a}
    lines = [
        Section(
            f"The shortest loss of {line.player} when moving {line.side}",
            "plain.html",
            {"parts": parts_for_template(steps(line.player, line.moves, opponents[line.player]))},
            lead=f"The game begins from {line.opening}." if line.opening else "",
        )
        for line in exact.losing_lines
    ]
    return [tables, *lines]
