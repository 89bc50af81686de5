"""Lay out the value of a position under perfect play."""

from __future__ import annotations

from fractions import Fraction

from arena.errors import counted
from arena.features.solve.record import SolveReport
from arena.records.equilibria import GameValue
from arena.reports.columns.proofs import CLAIM
from arena.reports.page import Fine, Page, Rows, declared_table, flat, page

#: Characters of a fraction beyond which it is no longer shown.
MAX_LINE_FRACTION = 80


@page.register
def _solve_report_page(report: SolveReport) -> Page:
    plies = "" if report.plies is None else f" in {counted(report.plies, 'move')}"
    move = [] if report.move is None else [f"a move that keeps it: {report.written or report.move}"]
    return [
        f"{report.game}: a {report.value}{plies} for the {report.to_move} side, which is to move",
        f"from {report.position}",
        *move,
        f"solved by {report.method}: {report.positions} positions",
        *map(Fine, report.account),
        *_certificate(report),
    ]


def _certificate(report: SolveReport) -> Page:
    if report.certificate is None:
        return []
    return [
        *_proved_by(report.certificate),
        declared_table(CLAIM, report.claims),
    ]


@page.register
def _game_value_page(solved: GameValue) -> Page:
    unit = solved.unit
    if solved.value is not None:
        lines = [f"{solved.game}: the first seat gets {_number(solved.value)} {unit} per game"]
    else:
        low, high = float(solved.low), float(solved.high)
        width = float(solved.high - solved.low)
        lines = [
            f"{solved.game}: the first seat gets {low:.9f} to {high:.9f} {unit} per game",
            f"the bounds are exact, and {width:.1e} apart",
        ]
    first, second = solved.sets
    histories = f"{solved.histories:,} histories"
    return [
        *lines,
        f"solved by {solved.method}: {histories}, strategies of {first} and {second} sets",
        *_proved_by(solved.certificate),
    ]


def _number(value: Fraction) -> str:
    """Show a value, and a fraction that is long only as a decimal."""
    decimal = f"{float(value):.9g}"
    text = str(value)
    if len(text) > MAX_LINE_FRACTION:
        return f"{decimal}, exactly a fraction of {len(text)} characters,"
    return text if text == decimal else f"{text} ({decimal})"


def _proved_by(certificate: str | None) -> list[str]:
    if certificate is None:
        return []
    return [f"{certificate} proves it; arena certify --check {certificate} verifies that"]


@flat.register
def _game_value_rows(solved: GameValue) -> Rows:
    keys = ["game", "game_version", "unit", "value", "low", "high", "histories", "method"]
    sets = ("first_sets", "second_sets")
    row = [getattr(solved, key) for key in keys]
    return [[*keys, *sets, "certificate"], [*row, *solved.sets, solved.certificate]]


@flat.register
def _solve_report_rows(report: SolveReport) -> Rows:
    keys = report.KEYS.split()[:-2]  # arena certify --check shows the claims
    return [keys, [getattr(report, key) for key in keys]]
