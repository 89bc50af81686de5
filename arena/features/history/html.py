"""Draw the strength of a player over its regression runs, a picture for each of its checks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from arena.records.history import History
from arena.reports.html.document import Section
from arena.reports.html.pages.plain import sections
from arena.reports.html.trends import Point


@sections.register
def _history_sections(history: History, tables: Section) -> list[Section]:
    """Return the section of the pictures, and the tables below it.

    A check is drawn from two regression runs on that have a strength.
    """
    checks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in history.rows:
        if row["score"] is not None:
            checks.setdefault((row["game"], row["check"]), []).append(row)
    pictures = [
        (f"{game}, {check}", [(history.player, [_point(row) for row in rows])])
        for (game, check), rows in checks.items()
        if len(rows) > 1
    ]
    if not pictures:
        return [tables]
    return [Section("Strength", "trend.html", {"pictures": pictures}), tables]


def _point(row: Mapping[str, Any]) -> Point:
    commit = str(row["commit"])
    label = str(row["date"])[:10] + f" {commit[:7]}" * (commit != "unknown")
    return Point(label, float(Fraction(row["score"])), row.get("low"), row.get("high"))
