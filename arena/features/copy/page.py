"""Lay out what was copied from one store to another."""

from __future__ import annotations

from arena.errors import counted
from arena.features.copy.record import COPIED, PRESENT, CopyReport
from arena.reports.page import Detail, Page, Rows, flat, page


@page.register
def _copy_report_page(report: CopyReport) -> Page:
    kinds = list(dict.fromkeys(part.kind for part in report.parts))
    copied = [counted(report.count(COPIED, kind), kind) for kind in kinds]
    identical = [counted(count, kind) for kind in kinds if (count := report.count(PRESENT, kind))]
    lines = [f"copied and read back: {', '.join(copied) or 'nothing'}"]
    lines += [
        f"{part.kind} {part.number} is {part.kind} {part.number_there} there"
        for part in report.parts
        if part.state == COPIED and part.number != part.number_there
    ]
    if identical:
        lines.append(f"there already, identical: {', '.join(identical)}")
        lines += [
            Detail(f"{part.kind} {part.number} is {part.kind} {part.number_there} there")
            for part in report.parts
            if part.state == PRESENT
        ]
    return [
        *lines,
        *(
            f"run {part.number} is copied as it is now: another process plays it"
            for part in report.parts
            if part.is_played
        ),
    ]


@flat.register
def _copy_report_rows(report: CopyReport) -> Rows:
    header = ["kind", "number", "number_there", "state", "size"]
    return [header, *([part.as_json()[key] for key in header] for part in report.parts)]
