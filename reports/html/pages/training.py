"""Draw the learning curve of a player: its exact score against each opponent."""

from __future__ import annotations

from arena.records.training import Training
from arena.reports.html.document import Section
from arena.reports.html.trends import Point


def pictures(training: Training) -> list[Section]:
    """Return the section of the curve; none without one."""
    if not training.curve:
        return []
    lines = [
        (
            f"against {name}",
            [Point(f"{at.games} games", float(at.scores[name])) for at in training.curve],
        )
        for name in training.curve[0].scores
    ]
    values = {"pictures": [("Exact score after so many games", lines)]}
    return [Section("Learning curve", "trend.html", values)]
