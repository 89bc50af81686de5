"""Lay out the methods behind a page, below it."""

from __future__ import annotations

from itertools import chain

from arena.records.methods import Method, WithMethods
from arena.reports.page import Note, Page, Rows, flat, page


@page.register
def _page_with_methods(explained: WithMethods) -> Page:
    parts = page(explained.record)
    if not explained.methods:
        return parts
    return [*parts, "Methods:", *chain.from_iterable(map(_lines, explained.methods))]


@flat.register
def _rows_without_methods(explained: WithMethods) -> Rows:
    return flat(explained.record)


def _lines(method: Method) -> list[Note]:
    source = f" ({method.source})" * bool(method.source)
    numbers = [f"{name} {_number(value)}" for name, value in method.numbers.items()]
    lines = [Note(f"{method.shown}: {method.method}{source}")]
    return [*lines, Note(f"  {', '.join(numbers)}")] if numbers else lines


def _number(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.10g}"
