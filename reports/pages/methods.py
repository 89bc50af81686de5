"""Lay out the methods behind a page, below it."""

from __future__ import annotations

import textwrap

from arena.records.methods import Explained, Method
from arena.reports.page import Block, Page, page

#: Longer lines are broken.
WIDTH = 80


@page.register
def _(explained: Explained) -> Page:
    shown = page(explained.record)
    if not explained.methods:
        return shown
    return [*shown, "Methods:", Block("\n".join(map(_lines, explained.methods)))]


def _lines(method: Method) -> str:
    source = f" ({method.source})" * bool(method.source)
    said = f"{method.shown}: {method.method}{source}"
    given = [f"{name} {_number(value)}" for name, value in method.numbers.items()]
    lines = textwrap.wrap(said, WIDTH, subsequent_indent="  ")
    if given:
        lines += textwrap.wrap(", ".join(given), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def _number(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.10g}"
