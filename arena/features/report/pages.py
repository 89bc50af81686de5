"""Make a page for each entrant of a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from arena.features.report.function import entrant_reports
from arena.plugin.catalogue import Catalogue
from arena.records.reports import Report

#: Longest name of a page's file, without its ending.
MAX_PAGE_NAME = 150


class EntrantPage(NamedTuple):
    """The page of an entrant: the name of its file, and its text."""

    player: str
    file: str
    text: str


def entrant_pages(report: Report, catalogue: Catalogue) -> Iterator[EntrantPage]:
    """Yield a page for each entrant of a report, each with a file name of its own."""
    page, names = catalogue.reports.get("html"), set[str]()
    for number, entrant in enumerate(entrant_reports(report), 1):
        name = quote(entrant.player, safe=" ()+,=@", errors="surrogateescape")[:MAX_PAGE_NAME]
        if name.lower() in names:  # cut, or the same to a file system
            name = f"{name}~{number}"
        names.add(name.lower())
        yield EntrantPage(entrant.player, f"{name}.html", page(entrant) + "\n")
