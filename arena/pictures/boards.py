"""Draw boards as SVG: about two kilobytes, dark and light, and readable without colour.

A square is 20 units wide and the first one begins at 0, 0. The picture has its style with it, so it
stands alone: in a file, in a notebook, on a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from arena.pictures.diagram import FREE, Diagram, Look
from arena.pictures.sheet import escaped, sheet

#: Units of a square's side.
SIDE = 20

#: The drawings of what stands on a square, from its middle, by look and letter: classes and shapes.
#: A line without length is a disc, by its round ends.
_DOT = "h0"
_DISCS = {"x": [("dx", _DOT)], "o": [("do", _DOT), ("dp", _DOT)]}
PIECES: Mapping[str, Mapping[str, Sequence[tuple[str, str]]]] = {
    "marks": {"x": [("x", "m-5-5l10 10m0-10l-10 10")], "o": [("o", "m6 0a6 6 0 1 0 0 .1z")]},
    "discs": _DISCS,
    "holes": {FREE: [("dg", _DOT), ("dh", _DOT)], **_DISCS},
    "hexagons": _DISCS,
    "chess": {},
    "counters": {"|": [("x", "m0-7v14")]},
}

#: Chessmen by letter, always of the shapes that are filled.
_MEN = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))

_HEXAGON = "m0-12l10 6v12l-10 6l-10-6v-12z"
_SQUARE = "m-10-10h20v20h-20z"
_RING = "m9 0a9 9 0 1 0 0 .1z"


def board(
    diagram: Diagram,
    title: str,
    last: Sequence[int] = (),
    marks: Mapping[int, str] | None = None,
    styled: bool = True,
    targets: Mapping[int, str] | None = None,
) -> str:
    """Return the board as SVG, with its title for readers that do not see it.

    ``last`` are the squares of the last move, ``marks`` short texts on squares. Without a style the
    page that shows it must have that of :func:`arena.pictures.style.style_of`. ``targets`` are the
    squares that a script takes for buttons, with the label of each.
    """
    margin, bottom = 14 * bool(diagram.down), 12 * bool(diagram.across)
    width, height = extent(diagram)
    parts = [
        *_ground(diagram),
        _path("l", shape_of_square(diagram.look), diagram, last),
        *_pieces(diagram),
        *_lines(diagram),
        *(_mark(diagram, square, text) for square, text in (marks or {}).items()),
        *_rulers(diagram, height),
        *(_target(diagram, square, label) for square, label in (targets or {}).items()),
    ]
    box = (-margin - 2, -2, width + margin + 4, height + bottom + 4)
    return sheet(box, title, parts, styled, "group" if targets else "img")


def lines_of_text(text: str, title: str, styled: bool = True) -> str:
    """Return lines of text, such as a board that has another shape, as SVG."""
    lines = text.split("\n")
    parts = [
        f'<text class="t" xml:space="preserve" x="4" y="{11 * index + 8}">{escaped(line)}</text>'
        for index, line in enumerate(lines)
    ]
    return sheet((0, 0, 5 * max(map(len, lines)) + 8, 11 * len(lines) + 6), title, parts, styled)


def middle(diagram: Diagram, square: int) -> tuple[int, int]:
    """Return where the middle of a square is, in units to the right and down."""
    row, column = divmod(square, diagram.columns)
    if diagram.look == "hexagons":
        return SIDE * column + 10 * row + 10, 18 * row + 12
    return SIDE * column + 10, SIDE * row + 10


def extent(diagram: Diagram) -> tuple[int, int]:
    """Return the width and the height of the squares, in units."""
    columns, rows = diagram.columns, diagram.rows
    if diagram.look == "hexagons":
        return SIDE * columns + 10 * (rows - 1), 18 * rows + 6
    return SIDE * columns, SIDE * rows


def shape_of_square(look: Look) -> str:
    """Return the outline of a square, drawn from its middle."""
    return _HEXAGON if look == "hexagons" else _SQUARE


def men_of(look: Look) -> Mapping[str, str]:
    """Return the men that stand for letters, by the letter in lower case. White's are upper."""
    return _MEN if look == "chess" else {}


def _ground(diagram: Diagram) -> Iterator[str]:
    """Yield the empty board."""
    columns, rows, look = diagram.columns, diagram.rows, diagram.look
    if look == "hexagons":
        yield _path("g", _HEXAGON, diagram, range(columns * rows))
        yield from _edges(columns, rows)
    elif look != "counters":
        dark = (s for s in range(columns * rows) if (s // columns + s % columns) % 2)
        yield _path("d", _SQUARE, diagram, dark) if look == "chess" else ""
        yield f'<path class="g" d="{_grid(diagram)}"/>'


def _grid(diagram: Diagram) -> str:
    """Return the frame, and the lines between squares where the board has them."""
    width, height = extent(diagram)
    frame = f"M0 0h{width}v{height}h{-width}z"
    if diagram.look in ("chess", "holes"):
        return frame
    upright = "".join(f"M{x} 0v{height}" for x in range(SIDE, width, SIDE))
    return frame + upright + "".join(f"M0 {y}h{width}" for y in range(SIDE, height, SIDE))


def _edges(columns: int, rows: int) -> Iterator[str]:
    """Yield the edges of a rhombus: x has the upper and the lower one, o the others."""
    up, low = "l10-6l10 6" * columns, "l10 6l10-6" * columns
    yield f'<path class="x" d="M0 6{up}M{10 * (rows - 1)} {18 * rows}{low}"/>'
    down = "v12l10 6" * (rows - 1) + "v12"
    yield f'<path class="o" d="M0 6{down}M{SIDE * columns} 6{down}"/>'


def _pieces(diagram: Diagram) -> Iterator[str]:
    pieces = PIECES[diagram.look]
    for letter, layers in pieces.items():
        squares = [square for square, text in enumerate(diagram.cells) if text == letter]
        for kind, shape in layers:
            yield _path(kind, shape, diagram, squares)
    others = [
        index for index, text in enumerate(diagram.cells) if text != FREE and text not in pieces
    ]
    if diagram.look == "chess":
        yield from _men(diagram, others)
    else:
        yield from (_mark(diagram, index, diagram.cells[index]) for index in others)


def _men(diagram: Diagram, squares: Iterable[int]) -> Iterator[str]:
    """Yield the chessmen, those of a row and a colour in one text."""

    def key(square: int) -> tuple[int, bool]:
        return square // diagram.columns, diagram.cells[square].isupper()

    for (_, is_white), group in groupby(sorted(squares, key=key), key):
        row = list(group)
        men = [_MEN.get(diagram.cells[index].lower(), diagram.cells[index][:1]) for index in row]
        yield _row("mw" if is_white else "mb", [middle(diagram, index) for index in row], men)


def _row(kind: str, places: Sequence[tuple[int, int]], letters: Iterable[str]) -> str:
    """Return letters, each at its place. All are at the height of the first."""
    across, text = " ".join(str(x) for x, _ in places), escaped("".join(letters))
    return f'<text class="{kind}" x="{across}" y="{places[0][1]}">{text}</text>'


def _lines(diagram: Diagram) -> Iterator[str]:
    """Yield the lines that decided: a stroke through a straight one, rings on another."""
    for line in diagram.lines:
        points = [middle(diagram, square) for square in line]
        (x, y), (to_x, to_y) = points[0], points[-1]
        if all((px - x) * (to_y - y) == (py - y) * (to_x - x) for px, py in points):
            yield f'<path class="w" d="M{x} {y}L{to_x} {to_y}"/>'
        else:
            yield _path("w", _RING, diagram, line)


def _rulers(diagram: Diagram, height: int) -> Iterator[str]:
    shift = 10 * (diagram.rows - 1) if diagram.look == "hexagons" else 0
    places = [(SIDE * index + 10 + shift, height + 6) for index in range(len(diagram.across))]
    if set(map(len, diagram.across)) == {1}:
        yield _row("r", places, diagram.across)
    else:
        yield from (
            _row("r", [index], name) for index, name in zip(places, diagram.across, strict=True)
        )
    for row, name in enumerate(diagram.down):
        x, y = middle(diagram, row * diagram.columns)
        yield f'<text class="r" x="{x - 17}" y="{y}">{escaped(name)}</text>'


def _mark(diagram: Diagram, square: int, text: str) -> str:
    """Return a text that is as large as fits its square."""
    x, y = middle(diagram, square)
    size = f' style="font-size:{32 / len(text):.3g}px"' if len(text) > 4 else ""
    return f'<text class="m" x="{x}" y="{y}"{size}>{escaped(text)}</text>'


def _target(diagram: Diagram, square: int, label: str) -> str:
    """Return a square without ink, or the whole column where discs fall."""
    x, y = middle(diagram, square)
    outline = f"M{x} {y}{shape_of_square(diagram.look)}"
    if diagram.look == "holes":
        outline = f"M{x - 10} 0h{SIDE}v{extent(diagram)[1]}h-{SIDE}z"
    return (
        f'<path class="target" role="button" tabindex="-1" data-square="{square}" data-x="{x}"'
        f' data-y="{y}" aria-label="{escaped(label)}" d="{outline}"/>'
    )


def _path(kind: str, shape: str, diagram: Diagram, squares: Iterable[int]) -> str:
    """Return one shape on each of these squares, as one path, or nothing for none."""
    path = "".join("M{} {}{}".format(*middle(diagram, square), shape) for square in squares)
    return f'<path class="{kind}" d="{path}"/>' if path else ""
