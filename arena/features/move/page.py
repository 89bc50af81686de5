"""Lay out the moves of a player in a position."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from arena.errors import counted
from arena.model.columns import Column, Format, flat_rows
from arena.records.proofs import MoveReport
from arena.reports.cells import Tone, Toned
from arena.reports.page import Board, Fine, Page, Rows, declared_table, flat, page

_LISTED: tuple[Format, ...] = ("page", "csv")


class _Move(NamedTuple):
    """A move that a player may make."""

    report: MoveReport
    move: str

    @property
    def probability(self) -> Fraction:
        """The probability that the player makes it."""
        return self.report.moves.get(self.move, Fraction(0))


def _rows(report: MoveReport) -> list[_Move]:
    return [_Move(report, move) for move in report.values or report.moves]


def _value_cell(value: str | None) -> Toned:
    """Show the value of a move: ``draw``, ``win in 3``."""
    outcome = (value or "").partition(" ")[0]
    return Toned(value or "", {"win": Tone.GOOD, "loss": Tone.BAD}.get(outcome))


#: The columns of the moves.
MOVE_CHANCE: tuple[Column[_Move], ...] = (
    Column("player", lambda row: row.report.player, ("csv",)),
    Column("position", lambda row: row.report.position, ("csv",)),
    Column("move", lambda row: row.move, ("csv",)),
    Column("move", lambda row: row.report.written.get(row.move, row.move), ("page",)),
    Column("probability", lambda row: row.probability, _LISTED, str),
    Column(
        "decimal", lambda row: row.probability, ("page",), lambda p: f"{float(p):.4f}", title=""
    ),
    Column("value", lambda row: row.report.values.get(row.move), _LISTED, _value_cell, any),
)


@page.register
def _move_page(report: MoveReport) -> Page:
    return [
        f"{report.player} at {report.position}:",
        Board(report.picture),
        declared_table(MOVE_CHANCE, _rows(report)),
        *[report.account][: bool(report.account)],
        *map(Fine, _choice(report)),
    ]


@flat.register
def _move_rows(report: MoveReport) -> Rows:
    return flat_rows(MOVE_CHANCE, _rows(report))


def _choice(report: MoveReport) -> list[str]:
    """Say how much a player leaves to chance, and how often its move keeps the value."""
    made = counted(len(report.moves), "different move")
    if not report.values:
        return [f"it makes {made} here; what they are worth is not known"]
    outcomes = {move: value.partition(" ")[0] for move, value in report.values.items()}
    best = next((value for value in ("win", "draw", "loss") if value in outcomes.values()), None)
    if best is None:
        return [f"it makes {made} here"]
    keeping = [move for move, outcome in outcomes.items() if outcome == best]
    names = ", ".join(report.written.get(move, move) for move in keeping)
    chance = sum((report.moves.get(move, Fraction(0)) for move in keeping), Fraction(0))
    moves = f"{len(keeping)} of {counted(len(outcomes), 'legal move')}"
    return [
        f"it makes {made} here",
        f"perfect play is worth a {best}, which {moves} keep: {names}",
        f"probability that the player keeps it: {chance}",
    ]
