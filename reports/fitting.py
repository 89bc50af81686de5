"""Make tables and sentences fit a width.

A table that is too wide first has its headers closer together, then its words and headers broken at
blanks. Then a column with a single cell becomes a line below, players' names are shortened, columns
that its page can spare are left out, which a line below says, and a column with the same in every
row becomes a line below. At last it is split into tables that begin with the same columns, without
what the page can spare if these are fewer then. An id or a number is never broken.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest

from arena.reports.cells import Cell, TonedText, tone_of
from arena.reports.page import Table

#: Columns between two columns of a table.
GAP = 2

#: A blank that is not the end of a line. No text has it, because texts are escaped.
_JOINED = "\N{NO-BREAK SPACE}"

#: Between two boards.
BETWEEN = "    "

#: The blanks next to a header, if they fit.
PADDING = 2

#: A column of words, a header and a name are not made narrower than this.
MIN_WORDS = 24
MIN_HEADER = 9

#: A column of words is made so narrow where a part of a table is still too wide.
MIN_COLUMN = 12
MIN_NAME = 13

#: Fewer rows are compared with each other, so that the same in each says something.
MIN_COMPARED = 4


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a sentence, indented as it begins. A long word or share stays whole.

    >>> wrapped("  see a/very/long/id there", 10)
    ['  see', '  a/very/long/id', '  there']
    """
    words = text.lstrip(" ")
    indent = text[: len(text) - len(words)]
    lines = textwrap.wrap(
        words.replace(" %", f"{_JOINED}%"),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_JOINED, " ") for line in lines] or [text]


def fitted(table: Table, width: int) -> list[Table]:
    """Return tables of at most this width, if that is possible."""
    if _fits(table, width):
        return [table]
    table = whole = _wrap(table, width, MIN_WORDS)
    for change in (_without_lonely, _shorten_names, _without_spare, _without_uniform):
        if _fits(table, width):
            return [table]
        table = change(table, width)
    if _fits(table, width):
        return [table]
    parts = _fewest(whole, width)  # no name is shortened in vain
    if all(_fits(part, width) for part in parts):
        return parts
    return [_wrap(part, width, MIN_COLUMN) for part in _fewest(table, width)]


def _fewest(table: Table, width: int) -> list[Table]:
    """Return the parts of the table, without the columns that it can spare if that spares parts."""
    table = _without_uniform(_without_lonely(table, width), width)
    parts, fewer = _split(table, width), _split(_spared(table, table.spare), width)
    return fewer if len(fewer) < len(parts) else parts


def padding_of(table: Table, width: int) -> int:
    """Return the number of blanks for which a header has room."""
    return PADDING if _total(_widths(table, PADDING)) <= width else 0


def _columns(table: Table) -> list[tuple[Cell, ...]]:
    return list(zip(table.headers, *table.rows, strict=True))


def _widths(table: Table, padding: int = 0) -> list[int]:
    heads = [max(map(len, header.split("\n"))) + padding for header in table.headers]
    lines = [[line for c in column for line in str(c).split("\n")] for column in _columns(table)]
    return [max(head, *map(len, column)) for head, column in zip(heads, lines, strict=True)]


def _fits(table: Table, width: int) -> bool:
    return _total(_widths(table)) <= width


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _wrap(table: Table, width: int, least: int) -> Table:
    """Break words, to no less than this, and headers, if the table does not fit."""
    if not _fits(table, width):
        table = _wrap_words(table, width, least)
    return table if _fits(table, width) else _wrap_headers(table)


def _wrap_words(table: Table, width: int, least: int) -> Table:
    """Break the cells of the widest column of words at blanks."""
    widths = _widths(table)
    wordy = [place for place, column in enumerate(_columns(table)) if _is_of_words(column)]
    if not wordy:
        return table
    widest = max(wordy, key=lambda place: widths[place])
    room = max(least, width - (_total(widths) - widths[widest]))
    return _changed(table, widest, lambda text: "\n".join(wrapped(text, room)))


def _wrap_headers(table: Table) -> Table:
    """Break headers at blanks that are wider than their columns."""
    headers = []
    for header, *column in _columns(table):
        lines = [line for cell in column for line in str(cell).split("\n")]
        room = max(MIN_HEADER, *map(len, lines), 0)
        headers.append("\n".join(wrapped(str(header), room)) if header else "")
    return replace(table, headers=headers)


def _is_of_words(column: Sequence[Cell]) -> bool:
    return any(len(text := str(cell)) > MIN_WORDS and " " in text for cell in column)


def _shorten_names(table: Table, width: int) -> Table:
    """Shorten names in the middle, but not so much that two become the same."""
    place = table.names
    if place is None:
        return table
    widths, names = _widths(table), {str(row[place]) for row in table.rows}
    room = max(MIN_NAME, width - (_total(widths) - widths[place]))
    if len({shortened(name, room) for name in names}) < len(names):
        return table
    return _changed(table, place, lambda name: shortened(name, room))


def _without_uniform(table: Table, width: int) -> Table:
    """Say once below what columns have in every row, from the right, until the table fits."""
    columns = _columns(table)
    least = _keys(table)
    for place in reversed(range(least, len(columns))):
        header, *cells = map(str, columns[place])
        is_list = header and len(cells) >= MIN_COMPARED
        if not is_list or len({*cells}) > 1 or _fits(table, width):
            continue
        lines = [f"{_joined(header)}: {cells[0]} in every row"] if cells[0] else []
        table = replace(_without(table, place), below=[*lines, *table.below])
    return table


def _joined(header: str) -> str:
    """Return a header in one line."""
    return header.replace("\n", " ")


def _without_lonely(table: Table, width: int) -> Table:
    """Say below what a column has in one of several rows only, until the table fits."""
    columns = _columns(table)
    for place in reversed(range(_keys(table), len(columns))):
        header, *cells = map(str, columns[place])
        filled = [number for number, cell in enumerate(cells) if cell]
        if not header or len(cells) <= 2 or len(filled) != 1 or _fits(table, width):
            continue
        row = str(table.rows[filled[0]][_keys(table) - 1])
        line = f"{_joined(header)}, {row}: {cells[filled[0]]}"
        table = replace(_without(table, place), below=[line, *table.below])
    return table


def _without_spare(table: Table, width: int) -> Table:
    """Leave out columns that the page can spare, if the table fits without them."""
    for number in range(1, len(table.spare) + 1):
        shorter = _spared(table, table.spare[:number])
        if _fits(shorter, width):
            return shorter
    return table


def _spared(table: Table, left_out: Sequence[str]) -> Table:
    """Return the table without these columns, and with a line below that says so."""
    names = [name for name in left_out if name in table.headers]
    for name in names:
        table = _without(table, list(table.headers).index(name))
    lines = [f"left out for lack of width: {', '.join(names)} (--format csv has all)"]
    return replace(table, below=[*table.below, *lines[: len(names)]])


def _without(table: Table, place: int) -> Table:
    """Return the table without a column."""
    headers = [header for n, header in enumerate(table.headers) if n != place]
    rows = [[cell for n, cell in enumerate(row) if n != place] for row in table.rows]
    names = table.names
    if names is not None and names > place:
        names -= 1
    return replace(table, headers=headers, rows=rows, names=names)


def _keys(table: Table) -> int:
    """Return how many columns stand in every part of the table."""
    return table.keys or (table.names or 0) + 1


def shortened(name: str, room: int) -> str:
    """Return a name with the middle left out.

    >>> shortened("minimax:budget=2000,decay=off", 16)
    'minimax:…cay=off'
    """
    if len(name) <= room:
        return name
    tail = (room - 1) // 2
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"


def _changed(table: Table, place: int, change: Callable[[str], str]) -> Table:
    """Return the table with every cell of a column changed, but with the same meaning."""
    rows = [
        [
            TonedText(change(str(cell)), tone_of(cell)) if n == place else cell
            for n, cell in enumerate(row)
        ]
        for row in table.rows
    ]
    headers = [change(header) if n == place else header for n, header in enumerate(table.headers)]
    return replace(table, headers=headers, rows=rows)


def _split(table: Table, width: int) -> list[Table]:
    """Return parts of the table that fit, each with the first columns again."""
    widths = _widths(table)
    keys = _keys(table)
    groups: list[list[int]] = [[]]
    for column in range(keys, len(widths)):
        group = groups[-1]
        used = _total([widths[place] for place in (*range(keys), *group, column)])
        if group and used > width:
            groups.append([column])
        else:
            group.append(column)
    *parts, last = [_part(table, [*range(keys), *group]) for group in groups]
    return [*parts, replace(last, below=table.below)]


def _part(table: Table, places: Sequence[int]) -> Table:
    headers = [table.headers[place] for place in places]
    return Table(headers, [[row[place] for place in places] for row in table.rows])


def side_by_side(boards: Sequence[tuple[str, str]], room: int) -> list[str]:
    """Put boards, each under its caption, into rows of at most this width."""
    blocks = [[caption, *picture.splitlines()] for caption, picture in boards]
    width = max((len(line) for block in blocks for line in block), default=0)
    columns = max(1, (room + len(BETWEEN)) // (width + len(BETWEEN)))
    rows = [blocks[i : i + columns] for i in range(0, len(blocks), columns)]
    return [
        "\n".join(_line(parts, width) for parts in zip_longest(*row, fillvalue="")) for row in rows
    ]


def _line(parts: tuple[str, ...], width: int) -> str:
    return BETWEEN.join(part.ljust(width) for part in parts).rstrip()
