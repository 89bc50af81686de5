"""Lay out what was begun."""

from __future__ import annotations

from arena.features.new.record import Scaffold
from arena.reports.page import Block, Page, Table, page


@page.register
def _scaffold_page(record: Scaffold) -> Page:
    return [
        Table(["made"], [[file] for file in record.files]),
        "next:",
        Block("\n".join(f"  {line}" for line in record.next)),
    ]
