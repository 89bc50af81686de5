"""Draw what lies on a table: cards, dice and words, in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from arena.dataclass import dataclass
from arena.pictures.sheet import escaped, sheet


class Thing(NamedTuple):
    """A card, a card that lies face down, a die, or words."""

    kind: Literal["card", "back", "die", "words", "lined"]
    #: The rank and suit of a card, the face of a die, ``?`` for one that is hidden, or the words.
    text: str


@dataclass(frozen=True)
class Tabletop:
    """The things on a table, row by row, with the name of each row."""

    rows: Sequence[tuple[str, Sequence[Thing]]]


def card(text: str) -> Thing:
    """Return a card, such as ``K♠``."""
    return Thing("card", text)


#: A card that lies face down.
FACE_DOWN = Thing("back", "?")


def die(face: int | None) -> Thing:
    """Return a die that shows a face, or a hidden one."""
    return Thing("die", "?" if face is None else str(face))


def words(text: str) -> Thing:
    """Return words, such as the bids so far."""
    return Thing("words", text)


def lined(text: str) -> Thing:
    """Return words that stay in one line, whose blanks count."""
    return Thing("lined", text)


def hands(
    seat: int | None,
    dealt: Sequence[Sequence[Thing]],
    shared: Sequence[Thing],
    said: Sequence[str],
    hidden: Sequence[Thing] = (FACE_DOWN,),
) -> Tabletop:
    """Return the table of a game for two with a hand for each, as a seat sees it, or all for None.

    ``dealt`` are the hands that it sees, its own alone unless all are seen, as far as they are
    dealt. A ``hidden`` one takes the place of the other. ``shared`` lies open, and ``said`` are the
    words of both.
    """
    if seat is not None and dealt:
        dealt = [dealt[0], hidden] if seat == 0 else [hidden, dealt[0]]
    rows: list[tuple[str, Sequence[Thing]]] = [*zip(("first", "second"), dealt, strict=False)]
    if shared:
        rows.append(("open", shared))
    return Tabletop([*rows, ("said", [words(" ".join(said))])])


#: Units: the width of the names of rows, the height of a row, and the size of cards and dice.
_NAMES, _ROW, _WIDTH, _HEIGHT, _GAP = 44, 28, 18, 24, 4

#: Units that a letter of words is wide, and the letters of a line, after which words go on below.
_LETTER, _LINE, _LETTERS = 5, 12, 48

#: The pips of a die by its face, as places in a square of nine.
_PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
_RED = frozenset("♥♦")


def draw(tabletop: Tabletop, title: str, styled: bool = True) -> str:
    """Return what lies on the table as SVG, with its title for readers that do not see it."""
    parts, y, width = list[str](), 0, _NAMES
    for name, things in tabletop.rows:
        parts.append(
            f'<text class="r" x="{_NAMES // 2}" y="{y + _ROW // 2}">{escaped(name)}</text>'
        )
        x, height = _NAMES, _ROW
        for thing in things:
            if thing.kind in ("words", "lined"):
                lines = _wrapped(thing.text) if thing.kind == "words" else [thing.text]
                parts.extend(_lines_at(lines, x, y))
                x += _LETTER * max(map(len, lines)) + _GAP
                height = max(height, _LINE * len(lines) + _ROW - _LINE)
            else:
                parts.extend(_thing_at(thing, x, y + 2))
                x += _WIDTH + _GAP
        y, width = y + height, max(width, x)
    return sheet((0, 0, width + _GAP, max(y, _ROW)), title, parts, styled)


def _wrapped(text: str) -> list[str]:
    """Cut a text into lines at its blanks."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= _LETTERS:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return lines


def _lines_at(lines: Sequence[str], x: int, y: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        height = y + _ROW // 2 + _LINE * number
        yield f'<text class="t" xml:space="preserve" x="{x}" y="{height}">{escaped(line)}</text>'


def _thing_at(thing: Thing, x: int, y: int) -> Iterator[str]:
    kind, text = thing
    size, top = (_HEIGHT, y) if kind != "die" else (_WIDTH, y + (_HEIGHT - _WIDTH) // 2)
    outline = f"M{x} {top}h{_WIDTH}v{size}h-{_WIDTH}z"
    yield f'<path class="g" d="{outline}"/>'
    if kind == "back":
        strokes = (f"M{x} {top + down}l{_WIDTH}-6" for down in range(6, size, 6))
        yield f'<path class="g" d="{"".join(strokes)}"/>'
    elif kind == "die" and text.isdigit() and int(text) in _PIPS:
        places = (divmod(int(place), 3) for place in _PIPS[int(text)])
        pips = "".join(f"M{x + 4 + 5 * column} {top + 4 + 5 * row}h0" for row, column in places)
        yield f'<path class="n" d="{pips}"/>'
    else:
        colour = "q" if _RED.intersection(text) else "m"
        middle = f'x="{x + _WIDTH // 2}" y="{top + size // 2}"'
        yield f'<text class="{colour}" {middle}>{escaped(text)}</text>'
