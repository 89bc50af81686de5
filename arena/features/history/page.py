"""Lay out the history of a player: a table and a line of its strength for each of its checks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from arena.records.history import History
from arena.reports.cells import Cell, percent, sparkline
from arena.reports.page import Block, Page, Rows, Table, flat, page

_COLUMNS = ("run", "date", "commit", "version", "outcome", "strength", "interval", "change")


@page.register
def _history_page(history: History) -> Page:
    checks: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in history.rows:
        checks.setdefault((row["game"], row["check"]), []).append(row)
    parts: list[str | Table | Block] = []
    for (game, check), rows in checks.items():
        parts.append(f"{history.player} at {game}, {check}")
        parts.append(Table(_COLUMNS, [_cells(row) for row in rows], spare=["version"]))
        parts += _line([Fraction(row["score"]) for row in rows if row["score"] is not None])
    return parts or [f"{history.player} was not checked at that game"]


@flat.register
def _history_rows(history: History) -> Rows:
    keys = list(history.rows[0]) if history.rows else []
    return [keys, *([row[key] for key in keys] for row in history.rows)]


def _cells(row: Mapping[str, Any]) -> list[Cell]:
    date, commit = str(row["date"])[:10], str(row["commit"])
    if commit != "unknown":
        commit = commit[:7] + "+" * commit.endswith("+")
    others = (str(row[name]) for name in _COLUMNS[3:-1])
    return [row["run"], date, commit, *others, _change(row)]


def _change(row: Mapping[str, Any]) -> Cell:
    if row["change"] is None:
        return "other panel" if row["other_panel"] else ""
    return f"{row['change']:+.4f}" if row["change"] else "0"


def _line(scores: list[Fraction]) -> list[str]:
    """Draw the strength, from the lowest to the highest, of two runs or more."""
    if len(scores) < 2:
        return []
    ends = f"lowest {percent(min(scores))}, highest {percent(max(scores))}"
    return [f"strength: {sparkline(list(map(float, scores)))}  {ends}"]
