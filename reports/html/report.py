"""Write the page of a record."""

from __future__ import annotations

from arena.records.base import Record
from arena.records.explanations import Explanation
from arena.records.replays import ReplayReport
from arena.records.reports import EntrantReport, Report
from arena.reports.html.document import document
from arena.reports.html.pages.sections import parts_of


def html(record: Record) -> str:
    """Return the page of a record, as the text of a file."""
    if isinstance(record, Report):
        from arena.reports.html.pages import reports

        return reports.html(record)
    if isinstance(record, EntrantReport):
        from arena.reports.html.pages import entrants

        return entrants.html(record)
    replay = record.game if isinstance(record, Explanation) else record
    if isinstance(replay, ReplayReport) and replay.rules is not None:
        from arena.reports.html.pages import replays

        return replays.html(record, replay, replay.rules)
    title, subtitle, sections = parts_of(record, lambda _: None)
    return document(title, subtitle, sections)
