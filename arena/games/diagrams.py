"""Describe the boards of arena's own games for their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from string import ascii_lowercase

from arena.pictures.diagram import Diagram, Look


def letters(columns: int) -> str:
    """Return the names of the columns, from a."""
    return ascii_lowercase[:columns]


@cache
def numbers(rows: int, from_below: bool = False) -> tuple[str, ...]:
    """Return the names of the rows from the uppermost one, which is 1 unless counted from below.

    >>> numbers(3, from_below=True)
    ('3', '2', '1')
    """
    names = tuple(str(row + 1) for row in range(rows))
    return names[::-1] if from_below else names


def ruled(
    marks: str, columns: int, rows: int, look: Look, completed: Iterable[Sequence[int]] = ()
) -> Diagram:
    """Return a board on which row 1 is the uppermost, as in othello and hex."""
    return Diagram(columns, rows, marks, look, letters(columns), numbers(rows), tuple(completed))


def completed(
    lines: Iterable[int], stones: Iterable[int], squares: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the lines that stones of one side fill, each by its places in ``squares``.

    Lines and stones are bitboards.
    """
    return tuple(
        tuple(index for index, square in enumerate(squares) if line >> square & 1)
        for side in stones
        for line in lines
        if side & line == line
    )
