"""Draw positions, and what a seat knows: the board or the table, or else the picture of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from arena.pictures.boards import board, lines_of_text
from arena.pictures.diagram import FREE, Diagram
from arena.pictures.tabletop import Tabletop, draw

#: Longest text of a position in the title of its picture.
MAX_TITLE_TEXT = 100


class _GameMethods(Protocol):
    @property
    def name(self) -> str: ...

    def format_move(self, move: int) -> str: ...


class _ObservationMethods(Protocol):
    """The methods of an observation that a picture calls."""

    @property
    def game(self) -> _GameMethods: ...

    def picture(self) -> str: ...

    def diagram(self) -> Diagram | None: ...

    def tabletop(self) -> Tabletop | None: ...


class _PositionMethods(_ObservationMethods, Protocol):
    """A position, with the squares that a move has to do with."""

    def move_squares(self, move: int, is_played: bool = False) -> Sequence[int]: ...


def svg(
    position: _PositionMethods, state: str, last: int | None, marks: Mapping[int, object]
) -> str:
    """Return the position as SVG. ``state`` says whose turn it is, or who won."""
    title = title_of(position, state, last)
    diagram = position.diagram()
    if diagram is None:
        return _without_board(position, title)
    squares = () if last is None else position.move_squares(last, is_played=True)
    return board(diagram, title, squares, marks_on(position, marks))


def svg_seen(observation: _ObservationMethods, seat: int) -> str:
    """Return what a seat knows as SVG."""
    title, diagram = f"{observation.game.name} as seat {seat} sees it", observation.diagram()
    if diagram is None:
        return _without_board(observation, title)
    return board(diagram, title)


def playable(
    position: _PositionMethods,
    state: str,
    last: int | None,
    marks: Mapping[int, object],
    targets: Mapping[int, str],
) -> str:
    """Return the position as SVG without a style. Its ``targets`` are squares to choose."""
    title, diagram = title_of(position, state, last), position.diagram()
    if diagram is None:
        return _without_board(position, title, styled=False)
    squares = () if last is None else position.move_squares(last, is_played=True)
    return board(diagram, title, squares, marks_on(position, marks), False, targets)


def _without_board(seen: _ObservationMethods, title: str, styled: bool = True) -> str:
    tabletop = seen.tabletop()
    if tabletop is None:
        return lines_of_text(seen.picture(), title, styled)
    return draw(tabletop, title, styled)


def title_of(position: _PositionMethods, state: str, last: int | None) -> str:
    """Say what the picture shows, for who does not see it."""
    text = str(position)
    board = f" {text}" if len(text) <= MAX_TITLE_TEXT else ""
    moved = "" if last is None else f", last move {position.game.format_move(last)}"
    return f"{position.game.name}{board}, {state}{moved}"


def marks_on(position: _PositionMethods, marks: Mapping[int, object]) -> dict[int, str]:
    """Return the texts by the square where each move ends. Moves to one square share it."""
    texts: dict[int, str] = {}
    for move, mark in marks.items():
        for square in position.move_squares(move)[-1:]:
            texts[square] = f"{texts[square]} {mark}" if square in texts else str(mark)
    return texts


def square_of(position: _PositionMethods, move: int, is_played: bool) -> tuple[int, ...]:
    """Return the square whose number is the move, if it is free before it and not after it."""
    diagram = position.diagram()
    if diagram is None or not 0 <= move < len(diagram.cells):
        return ()
    return (move,) if (diagram.cells[move] != FREE) is is_played else ()
