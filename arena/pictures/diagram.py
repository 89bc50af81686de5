"""Describe a board: its squares, what stands on them, and what to point out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from arena.dataclass import dataclass

#: The text of a square on which nothing stands.
FREE = "_"

#: How a board looks: crosses and noughts on squares, discs on squares, discs in holes, discs on the
#: hexagons of a rhombus, men on light and dark squares, counters in rows.
Look = Literal["marks", "discs", "holes", "hexagons", "chess", "counters"]

#: Letters of a text that stand for a free square.
_FREE = "_.-"
_DIGITS = re.compile(r"\d+", re.ASCII)


@dataclass(frozen=True)
class Diagram:
    """A board in reading order, as it is drawn."""

    columns: int
    rows: int
    #: The content of each square: ``x``, ``o``, another letter or a short text, or FREE.
    cells: Sequence[str]
    look: Look = "marks"
    #: Names of the columns and of the rows; none are shown without them.
    across: Sequence[str] = ()
    down: Sequence[str] = ()
    #: Lines that decided the game, each by its squares.
    lines: Sequence[Sequence[int]] = ()


def grid_of(text: str, columns: int = 0, rows: int = 0) -> Diagram | None:
    """Return the board that a position's text shows, None if it does not look like one.

    On a board of known size a text has a letter a square. Otherwise ``/`` or line ends stand
    between rows of the same length. In rows a number may stand for free squares, as in FEN. Words
    after the board count for nothing.

    >>> grid_of("xo./.x./..o")
    Diagram(columns=3, rows=3, cells='xo__x___o', look='marks', across=(), down=(), lines=())
    >>> grid_of("b3 takes the last one") is None
    True
    """
    word = text.strip().partition(" ")[0]
    for candidate in ("".join(text.split()), word):
        letters = candidate.replace("/", "")
        if columns * rows and len(letters) == columns * rows:
            return Diagram(columns, rows, _freed(letters))
    rows_shown = [
        _DIGITS.sub(lambda run: FREE * min(int(run[0]), 99), row) for row in _rows(text, word)
    ]
    widths = {len(row) for row in rows_shown}
    if len(rows_shown) < 2 or len(widths) != 1 or not rows_shown[0]:
        return None
    if columns * rows and (len(rows_shown[0]), len(rows_shown)) != (columns, rows):
        return None
    return Diagram(len(rows_shown[0]), len(rows_shown), _freed("".join(rows_shown)))


def _rows(text: str, word: str) -> list[str]:
    return text.strip().split("\n") if "\n" in text.strip() else word.split("/")


def _freed(letters: str) -> str:
    return "".join(FREE if letter in _FREE else letter for letter in letters)
