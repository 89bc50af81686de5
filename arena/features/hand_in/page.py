"""Lay out a hand-in to a contest, with the report of its check."""

from __future__ import annotations

from arena.errors import counted
from arena.features.hand_in.record import HandIn
from arena.records.base import Json
from arena.reports.page import Note, Page, Rows, Table, flat, page


@page.register
def _hand_in_page(hand_in: HandIn) -> Page:
    what = f"hand-in {hand_in.number} of {hand_in.entrant} ({hand_in.filename},"
    size = counted(hand_in.size, "byte")
    parts: list[str | Table] = [f"{what} {size}) {hand_in.words}"]
    if hand_in.problem:
        parts.append(Note(hand_in.problem))
    findings = (hand_in.report or {}).get("findings", ())
    rows = [
        [str(finding.get(key)) for key in ("check", "level", "message")] for finding in findings
    ]
    if rows:
        parts.append(Table(["check", "", "found"], rows))
    for finding in hand_in.findings:
        parts += map(Note, _advice(finding))
    return parts


def _advice(finding: Json) -> list[str]:
    """Return what to do about a finding, and what shows it."""
    is_told = finding["remedy"] in finding["message"]
    lines = [] if is_told else [f"{finding['check']}: {finding['remedy']}"]
    reproduction = finding["reproduction"]
    return [*lines, f"see it with: {reproduction}"] if reproduction else lines


@flat.register
def _hand_in_rows(hand_in: HandIn) -> Rows:
    header = ["entrant", "number", "received", "filename", "size", "state", "problem"]
    return [header, [getattr(hand_in, key) for key in header]]
