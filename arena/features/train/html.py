"""Draw the learning curve of a player: its exact score against each opponent."""

from __future__ import annotations

from arena.records.training import Training
from arena.reports.html.document import Section
from arena.reports.html.pages.plain import sections
from arena.reports.html.trends import Point


@sections.register
def _training_sections(training: Training, tables: Section) -> list[Section]:
    """Return the section of the curve, if there is one, and the tables below it."""
    if not training.curve:
        return [tables]
    lines = [
        (
            f"against {name}",
            [Point(f"{each.games} games", float(each.scores[name])) for each in training.curve],
        )
        for name in training.curve[0].scores
    ]
    values = {"pictures": [("Exact score after so many games", lines)]}
    return [Section("Learning curve", "trend.html", values), tables]
