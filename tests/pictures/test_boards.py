"""Boards as SVG: what they show of a position, whatever stands on them."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from xml.etree import ElementTree

import pytest

import arena
from arena.game import Game, Position
from arena.games.chess.rules import CHESS
from arena.pictures.boards import board, lines_of_text
from arena.pictures.diagram import FREE, Diagram
from arena.pictures.style import style_of

GAMES = (
    "tictactoe",
    "tictactoe-corners",
    "tictactoe-misere",
    "mnk-5-4-3",
    "connect4",
    "connect-3-4-3-misere",
    "othello-4",
    "hex-3",
    "nim",
    "chess",
)


@cache
def game_of(name: str) -> Game:
    return arena.get_game(name)


@cache
def games(name: str, number: int = 3) -> list[list[tuple[int, Position]]]:
    """Return random games, each as moves with the positions after them."""
    rng, results = random.Random(1), []
    for _ in range(number):
        position = game_of(name).start()
        game: list[tuple[int, Position]] = []
        while position.outcome() is None and len(game) < 40:
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            game.append((move, position))
        results.append(game)
    return results


def cells(position: Position) -> str:
    diagram = position.diagram()
    assert diagram is not None
    assert len(diagram.cells) == diagram.columns * diagram.rows
    return "".join(diagram.cells)


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def paths(svg: str, kind: str) -> int:
    """Return how often a shape is in a picture: each begins where it says M."""
    return sum(d.count("M") for d in re.findall(f'class="{kind}" d="([^"]*)"', svg))


@pytest.mark.parametrize("name", GAMES)
def test_a_move_goes_to_squares_that_change(name: str) -> None:
    for game in games(name):
        before = game_of(name).start()
        for move, after in game:
            changed = {
                at
                for at, (a, b) in enumerate(zip(cells(before), cells(after), strict=True))
                if a != b
            }
            squares = set(before.move_squares(move))
            assert squares == set(after.move_squares(move, is_played=True))
            if name in ("othello-4", "chess"):  # a move changes other squares, too
                assert squares <= changed or before.write_move(move) == "pass"
            else:
                assert squares == changed
            before = after


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_is_xml_and_says_what_it_shows(name: str) -> None:
    for move, after in games(name, 1)[0]:
        svg = after.svg(last=move, marks={m: after.write_move(m) for m in after.legal_moves()})
        title = drawn(svg)[0].text
        assert title is not None
        assert title.startswith(name)
        assert title.endswith(f"last move {after.game.format_move(move)}")
        assert after._repr_svg_() == after.svg()


@pytest.mark.parametrize("name", ["tictactoe", "mnk-5-4-3", "connect4", "othello-4", "hex-3"])
def test_every_stone_is_drawn_in_the_shape_of_its_side(name: str) -> None:
    first, second = ("x", "o") if name in ("tictactoe", "mnk-5-4-3") else ("dx", "do")
    for game in games(name):
        position = game[-1][1]
        number = Counter(cells(position))
        svg = position.svg()
        assert paths(svg, first) == number["x"]
        assert paths(svg, second) == number["o"]


@pytest.mark.parametrize(
    "name", ["tictactoe", "tictactoe-corners", "mnk-5-4-3", "connect4", "hex-3"]
)
def test_the_line_that_wins_is_drawn_and_no_other(name: str) -> None:
    for game in games(name):
        for _, position in game:
            diagram, outcome = position.diagram(), position.outcome()
            assert diagram is not None
            won = outcome is not None and outcome.winner is not None
            assert bool(diagram.lines) is won
            assert ('class="w"' in position.svg()) is won
            for line in diagram.lines:
                assert outcome is not None
                assert outcome.winner is not None
                assert {diagram.cells[at] for at in line} == {outcome.winner.letter}


def test_boards_take_about_two_kilobytes() -> None:
    sizes = {name: max(len(game[-1][1].svg()) for game in games(name)) for name in GAMES}
    assert max(sizes.values()) < 3000, sizes


def test_boards_larger_than_three_have_rulers() -> None:
    small, large = (game_of(name).start() for name in ("tictactoe", "mnk-15-15-5"))
    assert 'class="r"' not in small.svg()
    assert ">abcdefghijklmno<" in large.svg()
    middle = large.game.parse_move("h8")
    assert middle == large.game.parse_move("113")
    diagram = large.diagram()
    assert diagram is not None
    row, column = divmod(middle, 15)
    assert diagram.across[column] + diagram.down[row] == "h8"


def test_chess_has_white_at_the_bottom() -> None:
    position = CHESS.start()
    e2e4 = CHESS.parse_move("e2e4")
    assert position.move_squares(e2e4) == (52, 36)
    assert cells(position).startswith("rnbqkbnr")
    assert position.svg().count("♟") == 16


def test_moves_to_one_square_share_it() -> None:
    position = CHESS.parse("6k1/8/8/8/8/8/8/R3K3 w - - 0 1")
    marks = {CHESS.parse_move(move): move for move in ("a1b1", "a1c1", "e1d2")}
    assert ">a1b1<" in position.svg(marks=marks)
    values = {CHESS.parse_move("a1d1"): 1, CHESS.parse_move("e1d1"): -1}
    assert ">1 -1<" in position.svg(marks=values)


def test_texts_are_escaped() -> None:
    hostile = "<script>alert(1)</script>\"'&\u202e\x00"
    diagram = Diagram(2, 1, (hostile, FREE), across=(hostile, "b"), down=(hostile,))
    for svg in (board(diagram, hostile, marks={1: hostile}), lines_of_text(hostile, hostile)):
        assert "<script" not in svg
        assert "\u202e" not in svg
        title = drawn(svg)[0].text
        assert title == "<script>alert(1)</script>\"'&\\u202e\\x00"


def test_a_page_may_have_the_style_once() -> None:
    position = arena.get_game("connect4").start()
    diagram = position.diagram()
    assert diagram is not None
    bare = board(diagram, "", styled=False)
    assert "<style>" not in bare
    kinds = set(re.findall(r'class="(\w+)"', bare)) - {"arena"}
    assert all(f".arena .{kind}{{" in style_of() for kind in kinds)
