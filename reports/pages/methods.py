"""Lay out the methods behind a page, below it."""

from __future__ import annotations

from itertools import chain

from arena.records.methods import Method, WithMethods
from arena.reports.page import Note, Page, page


@page.register
def _(explained: WithMethods) -> Page:
    shown = page(explained.record)
    if not explained.methods:
        return shown
    return [*shown, "Methods:", *chain.from_iterable(map(_lines, explained.methods))]


def _lines(method: Method) -> list[Note]:
    source = f" ({method.source})" * bool(method.source)
    said = f"{method.shown}: {method.method}{source}"
    given = [f"{name} {_number(value)}" for name, value in method.numbers.items()]
    return [Note(said), *[Note(f"  {', '.join(given)}")][: len(given)]]


def _number(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.10g}"
