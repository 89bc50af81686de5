"""Turn pages into text for a terminal and into Markdown, with tabulate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from arena import escape
from arena.records.base import Record
from arena.reports.cells import Cell
from arena.reports.page import Block, Detail, Page, Table, page

#: The kinds of records that show players under short names.
PLAYED = ("CheckedFight", "FightResult", "SprtFight", "TournamentResult", "UntilFight")


@dataclass(frozen=True)
class _Style:
    """A way to turn a page into text: the layout of its tables, and how its parts are escaped."""

    tables: str
    end_of_line: str
    line: Callable[[str], str]
    cell: Callable[[str], str]
    block: Callable[[str], str]


_PLAIN = _Style("simple", "\n", escape.line, escape.line, escape.block)
_MARKDOWN = _Style("github", "  \n", escape.markdown_line, escape.markdown, escape.fenced)


#: Columns of a terminal.
WIDTH = 80


def plain(record: Record) -> str:
    """Return the record's page for a terminal, without details."""
    return text_of(_short(_page(record)))


def plain_in_full(record: Record) -> str:
    """Return the record's page for a terminal."""
    return text_of(_page(record))


def printed(record: Record) -> str:
    """Return the record's page for ``print``, without details and the option that shows them."""
    return text_of([part for part in _page(record) if not isinstance(part, Detail)])


def markdown(record: Record) -> str:
    """Return the record's page in GitHub's Markdown, without details."""
    return "\n\n".join(_paragraphs(_short(_page(record)), _MARKDOWN))


def markdown_in_full(record: Record) -> str:
    """Return the record's page in GitHub's Markdown."""
    return "\n\n".join(_paragraphs(_page(record), _MARKDOWN))


def _page(record: Record) -> Page:
    """Return the record's page, with short names in one of games that were played."""
    if type(record).__name__ in PLAYED:
        from arena.reports.names import shortened  # other records need not wait for its imports

        record = shortened(record)
    return page(record)


def text_of(parts: Page) -> str:
    """Return parts of a page for a terminal."""
    return "\n\n".join(_paragraphs(_fitting(parts), _PLAIN))


def _short(parts: Page) -> Page:
    """Return a page without its details, and a line that counts them."""
    shown = [part for part in parts if not isinstance(part, Detail)]
    hidden = len(parts) - len(shown)
    if not hidden:
        return shown
    return [*shown, f"{hidden} more line{'s' * (hidden > 1)} with -v"]


def _fitting(parts: Page) -> Page:
    """Return a page with tables in parts that are too wide and can be shown so."""
    fitting: list[str | Table | Block] = []
    for part in parts:
        fitting += _split(part) if isinstance(part, Table) and part.keys else [part]
    return fitting


def _split(table: Table) -> list[Table]:
    columns = list(zip(table.headers, *table.rows, strict=True))
    widths = [max(len(str(cell)) for cell in column) + 2 for column in columns]
    keys = table.keys
    groups: list[list[int]] = [[]]
    for place in range(keys, len(columns)):
        group = groups[-1]
        used = sum(widths[at] for at in (*range(keys), *group, place))
        if group and used > WIDTH + 2:  # the last column has no gap after it
            groups.append([place])
        else:
            group.append(place)
    return [
        Table(
            [table.headers[at] for at in (*range(keys), *group)],
            [[row[at] for at in (*range(keys), *group)] for row in table.rows],
        )
        for group in groups
    ]


def _paragraphs(parts: Page, style: _Style) -> list[str]:
    paragraphs: list[str] = []
    after_line = False
    for part in parts:
        is_line = isinstance(part, str)
        if isinstance(part, Table):
            text = _tabulate(part, style)
        elif isinstance(part, Block):
            text = style.block(part.text)
        else:
            text = style.line(part)
        if is_line and after_line:
            paragraphs[-1] += style.end_of_line + text
        else:
            paragraphs.append(text)
        after_line = is_line
    return paragraphs


def _tabulate(table: Table, style: _Style) -> str:
    from tabulate import tabulate

    align = ["right" if is_number(column) else "left" for column in zip(*table.rows, strict=True)]
    rows = [[style.cell(str(cell)) for cell in row] for row in table.rows]
    text = tabulate(
        rows,
        [style.cell(header) for header in table.headers],
        tablefmt=style.tables,
        colalign=align if rows else None,
        disable_numparse=True,
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def is_number(column: tuple[Cell, ...]) -> bool:
    """Return whether a column aligns right: numbers, percentages, ranges; several are a text."""
    cells = [*map(str, column)]
    if any(re.search(r"\d \d", cell) for cell in cells):
        return False
    return all(not cell or cell == "-" or cell.lstrip("-")[:1].isdigit() for cell in cells)
