"""Read pages as a browser does, for the tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

#: Elements without an end.
VOID = {"meta", "input", "br", "img"}


@dataclass
class Table:
    """A table: the cells of each row as their names and texts, and the attributes of headers."""

    rows: list[list[tuple[str, str]]] = field(default_factory=list)
    headers: list[dict[str, str | None]] = field(default_factory=list)


class Page(HTMLParser):
    """The elements, texts, attributes and tables of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.tables: list[Table] = []
        self.text = ""
        self.raw: dict[str, str] = {}
        self._open: list[str] = []
        self._cell = ""
        self.feed(text)
        self.close()
        assert self._open == [], f"{self._open} do not end"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append(Table())
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("td", "th"):
            self._cell = ""
        if tag == "th":
            self.tables[-1].headers.append(dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag in ("td", "th"):
            self.tables[-1].rows[-1].append((tag, self._cell.strip()))

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.raw[self._open[-1]] = data
            return
        self.text += data
        self._cell += data

    def table_with(self, header: str) -> list[dict[str, str]]:
        """Return the rows of the table that has this header, by its headers."""
        for table in self.tables:
            headers = [text for _, text in table.rows[0]]
            if header in headers:
                rows = [[text for _, text in row] for row in table.rows[1:]]
                return [dict(zip(headers, row, strict=False)) for row in rows]
        raise AssertionError(f"no table has {header!r}")
