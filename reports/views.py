"""Show records to Python and to notebooks: what the methods of ``Record`` return."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from arena.errors import UsageError
from arena.records.base import Record
from arena.reports.page import has_page

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


def text(record: Record) -> str:
    """Return the text that the command prints, or the fields of a record without a page."""
    if not has_page(type(record)):
        return _in_full(record)
    from arena.reports.tables import printed

    return printed(record)


def _in_full(record: Record) -> str:
    """Return the class of a record with all its fields."""
    names: list[str] = [each.name for each in fields(record)] if is_dataclass(record) else []
    values = ", ".join(f"{name}={getattr(record, name)!r}" for name in names)
    return f"{type(record).__name__}({values})"


def csv(record: Record) -> str:
    """Return the record's rows of CSV. Raises UsageError for a record without a page."""
    from arena.reports import delimited

    if not has_page(type(record)):
        kind = type(record).__name__
        raise UsageError(f"a {kind} has no rows of CSV: as_json() has its values")
    return delimited.csv(record)


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
