"""Lay out the moves of a player in a position."""

from __future__ import annotations

from fractions import Fraction

from arena.errors import counted
from arena.model.columns import CSV, Column, flat_rows
from arena.records.proofs import MoveReport
from arena.reports.cells import Tone, TonedText
from arena.reports.page import Fine, MarkBoard, Page, Rows, declared_table, flat, page


def _value_cell(value: str | None) -> TonedText:
    """Show the value of a move: ``draw``, ``win in 3``."""
    outcome = (value or "").partition(" ")[0]
    return TonedText(value or "", {"win": Tone.GOOD, "loss": Tone.BAD}.get(outcome))


def move_columns(report: MoveReport) -> list[Column[str]]:
    """Return the columns of the moves that a player may make."""

    def probability(move: str) -> Fraction:
        return report.moves.get(move, Fraction(0))

    return [
        Column("move", str, CSV),
        Column("move", lambda move: report.written.get(move, move), ("page",)),
        Column("probability", probability, cell=str),
        Column("decimal", lambda move: f"{float(probability(move)):.4f}", ("page",), title=""),
        Column("value", report.values.get, cell=_value_cell, is_worth=any),
    ]


@page.register
def _move_page(report: MoveReport) -> Page:
    return [
        f"{report.player} at {report.position}:",
        MarkBoard(report.picture),
        declared_table(move_columns(report), [*(report.values or report.moves)]),
        *[report.account][: bool(report.account)],
        *map(Fine, _choice(report)),
    ]


@flat.register
def _move_rows(report: MoveReport) -> Rows:
    moves, same = report.values or report.moves, {"player": report.player}
    return flat_rows(move_columns(report), [*moves], **same, position=report.position)


def _choice(report: MoveReport) -> list[str]:
    """Say how much a player leaves to chance, and how often its move keeps the value."""
    moves = counted(len(report.moves), "different move")
    if not report.values:
        return [f"it makes {moves} here; what they are worth is not known"]
    outcomes = {move: value.partition(" ")[0] for move, value in report.values.items()}
    best = next((value for value in ("win", "draw", "loss") if value in outcomes.values()), None)
    if best is None:
        return [f"it makes {moves} here"]
    keeping = [move for move, outcome in outcomes.items() if outcome == best]
    names = ", ".join(report.written.get(move, move) for move in keeping)
    chance = sum((report.moves.get(move, Fraction(0)) for move in keeping), Fraction(0))
    keepers = f"{len(keeping)} of {counted(len(outcomes), 'legal move')}"
    return [
        f"it makes {moves} here",
        f"perfect play is worth a {best}, which {keepers} keep: {names}",
        f"probability that the player keeps it: {chance}",
    ]
