"""Lay out what was begun."""

from __future__ import annotations

from arena.records.scaffolds import Scaffold
from arena.reports.page import Block, Page, page


@page.register
def _(record: Scaffold) -> Page:
    return [
        "made:",
        Block("\n".join(f"  {file}" for file in record.files)),
        "next:",
        Block("\n".join(f"  {line}" for line in record.next)),
    ]
