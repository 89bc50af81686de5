"""Lay out the history of a player by its checks, or of a training run by its steps."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from arena.records.history import History, StepHistory, StepRow
from arena.reports.cells import Cell, percent, sparkline
from arena.reports.page import Block, Fine, Page, Rows, Table, flat, page

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


#: The width of a step's interval in a table, in characters.
_WIDTH = 17


@page.register
def _steps_page(history: StepHistory) -> Page:
    rated = [row for row in history.rows if row.elo.value is not None]
    ends = [end for row in rated for end in _ends(row)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 0.0)
    header = ("step", "player", "games", "Elo", "95 %", "change", f"{low:.0f} to {high:.0f} Elo")
    rows = [
        [row.step, row.player, row.games, *_rating(row), _bar(row, low, high)]
        for row in history.rows
    ]
    blocks: list[str | Table | Block] = [Table(header, rows)]
    if history.best is not None:
        blocks.append(f"{history.best} has the highest rating")
    newest = history.rows[-1].player
    if newest != history.best and history.best is not None:
        ask = f"arena fight {newest}=FILE {history.best}=FILE --as FACTORY --until better"
        blocks += [f"ask whether {newest} is better:", f"  {ask}"]
    blocks += history.statements
    if history.others:
        blocks.append(Fine(f"rated with {', '.join(history.others)}"))
    blocks.append(Fine("change: Elo less that of the best step before"))
    return blocks


@flat.register
def _steps_rows(history: StepHistory) -> Rows:
    keys = ["step", "player", "games", "elo", "low", "high", "change"]
    rows = (
        [r.step, r.player, r.games, r.elo.value, r.elo.low, r.elo.high, r.change]
        for r in history.rows
    )
    return [keys, *rows]


def _rating(row: StepRow) -> list[Cell]:
    elo = row.elo
    if elo.value is None:
        return [elo.reason or "-", "", ""]
    ends = "" if elo.low is None or elo.high is None else f"{elo.low:.0f} to {elo.high:.0f}"
    return [f"{elo.value:.0f}", ends, "" if row.change is None else f"{row.change:+.0f}"]


def _ends(row: StepRow) -> list[float]:
    """Return the ends of an interval, or the rating itself where it has none."""
    elo = row.elo
    return [each for each in (elo.low, elo.value, elo.high) if each is not None]


def _bar(row: StepRow, low: float, high: float) -> str:
    """Draw an interval on a line of all: ``··--o--····``."""
    if row.elo.value is None or high <= low:
        return ""
    scale = (_WIDTH - 1) / (high - low)
    first, *_, last = (round((end - low) * scale) for end in sorted(_ends(row) * 2))
    place = round((row.elo.value - low) * scale)
    marks = ("o" if at == place else "-" if first <= at <= last else "·" for at in range(_WIDTH))
    return "".join(marks)
