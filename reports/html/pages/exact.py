"""Show the lines of an exact result in which a player loses."""

from __future__ import annotations

from arena.records.proofs import ExactResult
from arena.reports.html.document import Section
from arena.reports.html.pages.plain import parts_for_template
from arena.reports.steps import steps


def pictures(record: ExactResult) -> list[Section]:
    """Return the section of each line, as boards."""
    a, b = record.players
    opponents = {a: b, b: a}
    return [
        Section(
            f"The shortest loss of {line.player} when moving {line.side}",
            "plain.html",
            {"parts": parts_for_template(steps(line.player, line.moves, opponents[line.player]))},
            lead=f"The game begins from {line.opening}." if line.opening else "",
        )
        for line in record.losing_lines
    ]
