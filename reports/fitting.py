"""Make tables and sentences as wide as there is room.

A table that is too wide first has its headers closer together, then its words broken at blanks and
its players' names shortened; at last it is split into tables that begin with the same column. An id
or a number is never broken.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from arena.reports.cells import Cell, Toned, tone_of
from arena.reports.page import Table

#: Columns between two columns of a table.
GAP = 2

#: What a header has beside it where there is room.
PADDING = 2

#: A column of words, and a name, are not made narrower than this.
LEAST_WORDS = 24
LEAST_NAME = 12


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a sentence, indented as it begins; a long word stays whole.

    >>> wrapped("  see a/very/long/id there", 10)
    ['  see', '  a/very/long/id', '  there']
    """
    words = text.lstrip(" ")
    indent = text[: len(text) - len(words)]
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [text]


def fitted(table: Table, width: int) -> list[Table]:
    """Return tables of at most this width, if that is possible."""
    for change in (_wrap_words, _shorten_names):
        if _total(_widths(table)) <= width:
            return [table]
        table = change(table, width)
    return [table] if _total(_widths(table)) <= width else _split(table, width)


def padding_of(table: Table, width: int) -> int:
    """Return what a header of the table can have beside it."""
    return PADDING if _total(_widths(table, PADDING)) <= width else 0


def _columns(table: Table) -> list[tuple[Cell, ...]]:
    return list(zip(table.headers, *table.rows, strict=True))


def _widths(table: Table, padding: int = 0) -> list[int]:
    heads = [max(map(len, header.split("\n"))) + padding for header in table.headers]
    lines = [[line for c in column for line in str(c).split("\n")] for column in _columns(table)]
    return [max(head, *map(len, column)) for head, column in zip(heads, lines, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _wrap_words(table: Table, width: int) -> Table:
    """Break the cells of the widest column of words at blanks."""
    widths = _widths(table)
    wordy = [at for at, column in enumerate(_columns(table)) if _is_of_words(column)]
    if not wordy:
        return table
    widest = max(wordy, key=lambda at: widths[at])
    room = max(LEAST_WORDS, width - (_total(widths) - widths[widest]))
    return _changed(table, widest, lambda text: "\n".join(wrapped(text, room)))


def _is_of_words(column: Sequence[Cell]) -> bool:
    return any(len(text := str(cell)) > LEAST_WORDS and " " in text for cell in column)


def _shorten_names(table: Table, width: int) -> Table:
    """Shorten names in the middle, but not so much that two become the same."""
    at = table.names
    if at is None:
        return table
    widths, names = _widths(table), {str(row[at]) for row in table.rows}
    room = max(LEAST_NAME, width - (_total(widths) - widths[at]))
    if len({shortened(name, room) for name in names}) < len(names):
        return table
    return _changed(table, at, lambda name: shortened(name, room))


def shortened(name: str, room: int) -> str:
    """Return a name with the middle left out.

    >>> shortened("minimax:budget=2000,decay=off", 16)
    'minimax:…cay=off'
    """
    if len(name) <= room:
        return name
    tail = (room - 1) // 2
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"


def _changed(table: Table, at: int, change: Callable[[str], str]) -> Table:
    """Return the table with every cell of a column changed, its meaning kept."""
    rows = [
        [Toned(change(str(cell)), tone_of(cell)) if n == at else cell for n, cell in enumerate(row)]
        for row in table.rows
    ]
    headers = [change(header) if n == at else header for n, header in enumerate(table.headers)]
    return replace(table, headers=headers, rows=rows)


def _split(table: Table, width: int) -> list[Table]:
    """Return parts of the table that fit, each with the first columns again."""
    widths = _widths(table)
    keys = table.keys or (table.names or 0) + 1
    groups: list[list[int]] = [[]]
    for place in range(keys, len(widths)):
        group = groups[-1]
        used = _total([widths[at] for at in (*range(keys), *group, place)])
        if group and used > width:
            groups.append([place])
        else:
            group.append(place)
    return [_part(table, [*range(keys), *group]) for group in groups]


def _part(table: Table, places: Sequence[int]) -> Table:
    headers = [table.headers[at] for at in places]
    return Table(headers, [[row[at] for at in places] for row in table.rows])
