"""Turn pages into text for a terminal and into Markdown, with tabulate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from arena import escape
from arena.dataclass import dataclass
from arena.records.base import Record
from arena.reports.cells import Cell, TonedText, tone_of
from arena.reports.fitting import PADDING, fitted, padding_of, side_by_side, wrapped
from arena.reports.page import (
    Block,
    BoardRow,
    CommandText,
    Detail,
    Fine,
    MarkBoard,
    Note,
    Page,
    Table,
    page,
)
from arena.reports.screen import PIPE, Screen

#: The kinds of records that show players under short names.
PLAYED = (
    "CheckedFight",
    "FightResult",
    "SprtFight",
    "TablesResult",
    "TournamentResult",
    "UntilFight",
)


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


def plain(record: Record, screen: Screen = PIPE) -> str:
    """Return the record's page as text for a screen, without details."""
    return text_of(_short(_page(record)), screen)


def plain_in_full(record: Record, screen: Screen = PIPE) -> str:
    """Return the record's page as text for a screen."""
    return text_of(_page(record), screen)


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
        from arena.reports.names import legend, shortened  # other records need not wait for it

        return [*page(shortened(record)), *legend(record)]
    return page(record)


def text_of(parts: Page, screen: Screen = PIPE) -> str:
    """Return parts of a page as text for a screen."""
    return "\n\n".join(_paragraphs(parts, _PLAIN, screen))


def _short(parts: Page) -> Page:
    """Return a page without its details, and a line that counts them."""
    lines = [part for part in parts if not isinstance(part, Detail)]
    hidden = sum(isinstance(part, Detail) and not isinstance(part, Fine) for part in parts)
    if not hidden:
        return lines
    return [*lines, f"{hidden} more line{'s' * (hidden > 1)} with -v"]


def _paragraphs(parts: Page, style: _Style, screen: Screen = PIPE) -> list[str]:
    paragraphs: list[str] = []
    after_line = False
    for part in parts:
        is_line = isinstance(part, str)
        if isinstance(part, Table):
            paragraphs += _tables(part, style, screen)
        elif isinstance(part, BoardRow):
            rows = side_by_side(part.boards, screen.width)
            paragraphs += [screen.board(style.block(row)) for row in rows]
        elif isinstance(part, Block):
            text = style.block(part.text)
            paragraphs.append(screen.board(text) if isinstance(part, MarkBoard) else text)
        elif after_line:
            paragraphs[-1] += style.end_of_line + _line(part, style, screen)
        else:
            paragraphs.append(_line(part, style, screen))
        after_line = is_line
    return paragraphs


def _line(part: str, style: _Style, screen: Screen) -> str:
    """Return a line, broken to fit the screen."""
    text = style.line(part)
    if style is not _PLAIN:
        return text
    lines = [text]
    if isinstance(part, CommandText):
        is_short = screen.is_terminal or len(part.words) < screen.width
        lines = _commanded(part, screen.width) if is_short and len(text) > screen.width else lines
    elif isinstance(part, Note) or screen.is_terminal:
        lines = wrapped(text, screen.width)
    return "\n".join(screen.paint(line, tone_of(part)) for line in lines)


def _commanded(part: CommandText, width: int) -> list[str]:
    """Return words, and a command below them that can be copied."""
    return [*wrapped(escape.line(f"{part.words}:"), width), f"  {escape.line(part.command)}"]


def _tables(table: Table, style: _Style, screen: Screen) -> list[str]:
    """Return a table, in parts that fit."""
    escaped = replace(
        table,
        headers=[style.cell(header) for header in table.headers],
        rows=[
            [TonedText(style.cell(str(cell)), tone_of(cell)) for cell in row] for row in table.rows
        ],
        spare=[style.cell(header) for header in table.spare],
    )
    if style is not _PLAIN:
        return [_tabulate(escaped, style, screen)]
    paragraphs = []
    for part in fitted(escaped, screen.width):
        paragraphs.append(_tabulate(part, style, screen))
        if part.below:
            paragraphs.append("\n".join(_line(Note(line), style, screen) for line in part.below))
    return paragraphs


def _tabulate(table: Table, style: _Style, screen: Screen) -> str:
    import tabulate

    align = ["right" if is_number(column) else "left" for column in zip(*table.rows, strict=True)]
    is_plain = style is _PLAIN
    tabulate.MIN_PADDING = padding_of(table, screen.width) if is_plain else PADDING  # its option
    text = tabulate.tabulate(
        [[_painted(cell, screen) for cell in row] for row in table.rows],
        table.headers,
        tablefmt=style.tables,
        colalign=align if table.rows else None,
        disable_numparse=True,
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _painted(cell: Cell, screen: Screen) -> str:
    return "\n".join(screen.paint(line, tone_of(cell)) for line in str(cell).split("\n"))


def is_number(column: tuple[Cell, ...]) -> bool:
    """Return whether a column aligns right, as numbers, percentages and ranges do."""
    cells = [*map(str, column)]
    if any(re.search(r"\d \d", cell) for cell in cells):
        return False
    return all(not cell or cell == "-" or cell.lstrip("-")[:1].isdigit() for cell in cells)
