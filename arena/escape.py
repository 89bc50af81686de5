"""Escape foreign text for its destination: one function for each.

Foreign is all that arena did not write: names, exceptions, results, openings, certificates, stores.
Records keep it as it came. The output escapes it. A character that does not print (a control, a
mark of direction, a lone surrogate) becomes its Python escape, so that escaping text twice changes
nothing.
"""

from __future__ import annotations

import json
import re

#: Characters with a meaning in Markdown, anywhere on a line.
_MARKDOWN = r"([\\`*_\[\]~$|])"

#: Characters with a meaning at the start of a line: headings, lists, rulers.
_AT_START = r"^(\s*)([#+=-])"

#: Characters that begin a formula in a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

#: Payoffs by seat, which calculate nothing in a spreadsheet.
_NUMBERS = re.compile(r"-?\d+(/\d+)?( -?\d+(/\d+)?)*", re.ASCII)


def line(text: str) -> str:
    r"""Escape text for one line of a terminal.

    >>> line("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def ascii_line(text: str) -> str:
    """Escape text for one line of printable ASCII."""
    return ascii(text)[1:-1]


def block(text: str) -> str:
    """Escape text for lines of a terminal, or of XML: line ends and tabs stay."""
    return "".join(c if c in "\n\t" else _escaped(c) for c in text)


def markdown(text: str) -> str:
    """Escape text for a part of a line of Markdown, such as a cell of a table.

    >>> markdown("<b> a|b `c`")
    '&lt;b&gt; a\\\\|b \\\\`c\\\\`'
    """
    html = line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(_MARKDOWN, r"\\\1", html)


def markdown_line(text: str) -> str:
    """Escape text for a whole line of Markdown that must not begin a heading, list or ruler."""
    return re.sub(_AT_START, r"\1\\\2", markdown(text))


def fenced(text: str) -> str:
    """Fence lines of text as a block of Markdown that no line of it can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{block(text)}\n{fence}"


def csv_cell(value: object) -> object:
    """Escape a text for a cell that a spreadsheet reads. Numbers stay numbers.

    >>> csv_cell("=1+1"), csv_cell("-1/2 1/2")
    ("'=1+1", '-1/2 1/2')
    """
    if not isinstance(value, str) or _NUMBERS.fullmatch(value):
        return value
    return "'" * value.startswith(_FORMULA) + line(value)


def json_text(value: object) -> str:
    """Return a value as JSON on one line, with every character that does not print escaped."""
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _escaped(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
