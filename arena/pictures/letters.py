"""Draw boards as lines of text, with rulers, the last move in brackets and lines in capitals."""

from __future__ import annotations

from collections.abc import Collection

from arena.pictures.diagram import FREE, Diagram


def ruled(diagram: Diagram, last: Collection[int] = (), decided: bool = False) -> str:
    """Return a board with a dot for a free square and its rulers to the left and below.

    ``last`` are the squares of the last move. With ``decided`` the lines that decided the game are
    in capitals.

    >>> print(ruled(Diagram(2, 2, "x_o_", across="ab", down="21"), last=[2]))
    2  x .
    1 (o).
       a b
    """
    columns, capitals = diagram.columns, _on_lines(diagram) if decided else set()
    margin = max(map(len, diagram.down), default=0)
    width = max(map(len, diagram.across), default=1)
    lines = []
    for row in range(diagram.rows):
        name = diagram.down[row] if diagram.down else ""
        line = list((name.rjust(margin) + " " * bool(margin)) + " " * (columns * (width + 1) + 1))
        for column in range(columns):
            square, place = (
                row * columns + column,
                len(line) - 2 - (columns - 1 - column) * (width + 1),
            )
            line[place] = _letter(diagram, square, capitals)
            if square in last:
                line[place - 1 : place + 2 : 2] = "()"
        lines.append("".join(line).rstrip())
    names = "".join(f" {name.rjust(width)}" for name in diagram.across)
    return "\n".join([*lines, " " * (margin + bool(margin)) + names] if names else lines)


def numbered(diagram: Diagram, last: Collection[int] = (), decided: bool = False) -> str:
    """Return a small board with the numbers of its free squares, and rules between squares.

    >>> print(numbered(Diagram(2, 1, "x_"), last=[0]))
    (x)| 2
    """
    columns, capitals = diagram.columns, _on_lines(diagram) if decided else set()
    cells = []
    for square, text in enumerate(diagram.cells):
        letter = str(square + 1) if text == FREE else _letter(diagram, square, capitals)
        cells.append(f"({letter})" if square in last else f" {letter} ")
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    rule = "+".join(["---"] * columns)
    return f"\n{rule}\n".join("|".join(row).rstrip() for row in rows)


def _letter(diagram: Diagram, square: int, capitals: set[int]) -> str:
    text = diagram.cells[square].replace(FREE, ".")
    return text.upper() if square in capitals else text


def _on_lines(diagram: Diagram) -> set[int]:
    return {square for line in diagram.lines for square in line}
