"""Show records to Python and to notebooks: what the methods of ``Record`` return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.records.base import Record
from arena.reports.page import has_page

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


def text(record: Record) -> str:
    """Return the text that the command prints, or the fields of a record without a page."""
    if not has_page(type(record)):
        return repr(record)
    from arena.reports.tables import printed

    return printed(record)


def fragment(record: Record) -> str | None:
    """Return the part of a web page that shows a record, or None if it has no page."""
    if not has_page(type(record)):
        return None
    from arena.reports.html import fragments

    return fragments.fragment(record)


def frame(record: Record) -> DataFrame:
    """Return the record's rows as a table of pandas."""
    from arena.reports import frames

    return frames.frame(record)


def plot(record: Record, figure: str, axes: Axes | None) -> Axes:
    """Draw a figure of the record, and return its axes."""
    from arena.reports import plots

    return plots.plot(record, figure, axes)
