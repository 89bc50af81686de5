"""The boards of games that draw none: read from the text of a position."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

import pytest

import arena
from arena.pictures.diagram import grid_of
from tests.games import extra_turns


@pytest.mark.parametrize(
    ("text", "columns", "rows", "cells"),
    [
        ("xo__x", 5, 1, "xo__x"),
        ("x.o .-. oxo", 3, 3, "x_o___oxo"),
        ("x.o/.x./o..", 0, 0, "x_o_x_o__"),
        ("ab\ncd", 0, 0, "abcd"),
        ("k1K/3/2P w - 0", 0, 0, "k_K_____P"),
        ("xo__ x 2", 4, 1, "xo__"),
    ],
)
def test_a_board_in_a_text_is_a_grid(text: str, columns: int, rows: int, cells: str) -> None:
    diagram = grid_of(text, columns, rows)
    assert diagram is not None
    assert "".join(diagram.cells) == cells


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("", 0, 0),
        ("3-1-5@2", 0, 0),
        ("_______/__/x", 0, 0),
        ("xo_", 3, 3),
        ("ab/cd", 3, 3),
        ("/", 0, 0),
    ],
)
def test_another_text_is_not(text: str, columns: int, rows: int) -> None:
    assert grid_of(text, columns, rows) is None


def test_a_large_number_is_not_a_large_board() -> None:
    diagram = grid_of("999999999/999999999")
    assert diagram is not None
    assert diagram.columns == 99


def test_a_game_without_a_board_is_shown_by_its_picture() -> None:
    position = extra_turns.BOXES_GAME.start().play(3)
    assert position.diagram() is None
    assert position.move_squares(3, is_played=True) == ()
    shown = ElementTree.fromstring(position.svg(last=3))
    assert shown[-1].text == position.picture()


class _Grid(extra_turns.Board):
    __slots__ = ()

    def __str__(self) -> str:
        return "xo_/x__"


class _Own(extra_turns.Board):
    __slots__ = ()

    def svg(self, last: int | None = None, marks: Mapping[int, object] | None = None) -> str:
        return "<svg xmlns='http://www.w3.org/2000/svg'/>"


def test_a_plugin_gets_a_grid_and_may_draw_its_own() -> None:
    position = _Grid("_" * 7, "__", "x")
    assert position.svg(last=0).count('class="l"') == 1
    assert 'class="l"' not in position.svg(last=2)  # square 2 is free: the move went elsewhere
    assert position.move_squares(2) == (2,)
    assert _Own("_" * 7, "__", "x")._repr_svg_() == "<svg xmlns='http://www.w3.org/2000/svg'/>"


def test_the_types_of_a_picture_are_public() -> None:
    assert arena.plugin.Diagram is type(grid_of("x/o"))
