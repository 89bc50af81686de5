"""Declare the columns of the marks by which a schedule ranks: points, buchholz, and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from arena.model.columns import Column, Format, Row
from arena.reports.rounds import points_cell


def mark_column(
    name: str,
    key: str,
    marks_of: Callable[[Row], Mapping[str, Fraction | str]],
    formats: tuple[Format, ...],
) -> Column[Row]:
    """Return the column of one mark."""

    def value(row: Row) -> Any:
        mark = marks_of(row).get(name)
        return round(float(mark), 6) if isinstance(mark, Fraction | int) else mark

    def cell(mark: float | str | None) -> str:
        return "-" if mark is None else points_cell(mark)

    return Column(key, value, formats, cell, title=name.replace("_", " "))
