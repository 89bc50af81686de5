"""Pages as text for a terminal and as Markdown, with tabulate."""

from __future__ import annotations

from arena.reports.cells import Cell
from arena.reports.page import Block, Page, Table
from arena.reports.pages import page
from arena.results import Record


def plain(record: Record) -> str:
    """The record's page for a terminal."""
    return text_of(page(record))


def markdown(record: Record) -> str:
    """The record's page in GitHub's Markdown."""
    return "\n\n".join(_paragraphs(page(record), "github"))


def text_of(parts: Page) -> str:
    """Parts of a page for a terminal."""
    return "\n\n".join(_paragraphs(parts, "simple"))


def _paragraphs(parts: Page, style: str) -> list[str]:
    paragraphs: list[str] = []
    after_line = False
    for part in parts:
        is_line = isinstance(part, str)
        if isinstance(part, Table):
            text = _tabulate(part, style)
        elif isinstance(part, Block):
            text = f"```text\n{part.text}\n```" if style == "github" else part.text
        else:
            text = part
        if is_line and after_line:
            paragraphs[-1] += ("  \n" if style == "github" else "\n") + text
        else:
            paragraphs.append(text)
        after_line = is_line
    return paragraphs


def _tabulate(table: Table, style: str) -> str:
    from tabulate import tabulate

    align = ["right" if _is_number(column) else "left" for column in zip(*table.rows, strict=True)]
    bar = r"\|" if style == "github" else "|"
    rows = [[str(cell).replace("|", bar) for cell in row] for row in table.rows]
    text = tabulate(
        rows,
        table.headers,
        tablefmt=style,
        colalign=align if rows else None,
        disable_numparse=True,
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _is_number(column: tuple[Cell, ...]) -> bool:
    """Whether a column reads better with its cells to the right: numbers, percentages, ranges."""
    cells = map(str, column)
    return all(not cell or cell == "-" or cell.lstrip("-")[:1].isdigit() for cell in cells)
