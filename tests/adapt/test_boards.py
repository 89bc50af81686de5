"""Other boards as positions, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import adapt
from arena.errors import PositionError, UsageError
from arena.game import Side
from arena.games.lines import variant
from arena.games.mnk import MnkPosition, mnk_game
from tests.adapt.adapting import positions
from tests.golden import Wording

WAYS: dict[str, Callable[[MnkPosition], Any]] = {
    "rows": adapt.as_rows,
    "rows of symbols": lambda position: adapt.as_rows(position, adapt.SYMBOLS),
    "tuples": lambda position: tuple(map(tuple, adapt.as_rows(position))),
    "words in rows": lambda p: ["".join(row) for row in adapt.as_rows(p, adapt.WORD)],
    "symbols": adapt.as_list,
    "text": str,
    "pieces": lambda position: " / ".join(str(position)),
    "letters": lambda position: list(str(position)),
    "vector": lambda position: adapt.as_list(position, adapt.NUMBERS),
    "array": lambda position: np.array(adapt.as_rows(position, adapt.NUMBERS)),
}


@pytest.mark.slow
@settings(max_examples=60)
@given(positions(), st.sampled_from(sorted(WAYS)))
def test_every_board_is_read_as_the_position_it_was_made_of(p: MnkPosition, way: str) -> None:
    if way == "words in rows" and p.game.columns == 1:
        return  # letters in a column are letters in a list
    assert adapt.read_board(WAYS[way](p), p.game) == p
    if p.game.columns == p.game.rows == p.game.k:
        assert adapt.read_board(WAYS[way](p)) == p


@pytest.mark.slow
@settings(max_examples=60)
@given(positions(), st.permutations([1, -1, 0, "#", None, 2.5]))
def test_any_marks_will_do(position: MnkPosition, marks: list[Any]) -> None:
    those = (marks[0], marks[1], marks[2])
    for board in (adapt.as_rows(position, those), adapt.as_list(position, those)):
        assert adapt.read_board(board, position.game, those) == position


@pytest.mark.slow
@given(positions())
def test_rows_and_lists_have_the_letters_of_the_text(position: MnkPosition) -> None:
    letters = {"X": "x", "O": "o", None: "_", "E": "_", 0: "x", 1: "o", -1: "_"}
    rows = adapt.as_rows(position)
    assert [len(row) for row in rows] == [position.game.columns] * position.game.rows
    flat = [cell for row in rows for cell in row]
    for board in (flat, adapt.as_list(position), adapt.as_list(position, adapt.NUMBERS)):
        assert "".join(letters[cell] for cell in board) == str(position)


def test_the_game_may_be_any_with_those_squares() -> None:
    straight = variant("tictactoe-straight")
    assert adapt.read_board("xx_/oo_/___", straight).game is straight


@pytest.mark.parametrize(
    "board",
    [
        [],
        "",
        [[]],
        [[None], [None], [None], [None]],
        ["E"] * 8,
        [["E"] * 3] * 2,
        [[None] * 3, [None] * 2, [None] * 3],
        [[None] * 3, [], [None] * 3],
        ["E", "E", "Q", "E"],
        ["E", "E", "XX", "E"],
        ["E", "E", " ", "E"],
        [None, None, 7, None],
        [None, None, True, None],
        [None, [None], None, None],
        5,
        None,
        "XX__",
        "O___",
        [0] * 9,
        "XXX/OOO/EEE",
        "XXX/OOE/OEE",
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(board: Any, wording: Wording) -> None:
    with wording.raises(PositionError):
        adapt.read_board(board)


def test_a_board_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match="1000 columns"):
        adapt.read_board(["E"] * 1_000_000)


def test_rows_must_be_those_of_the_game(wording: Wording) -> None:
    with wording.raises(PositionError):
        adapt.read_board([["E"] * 2] * 4, mnk_game(4, 2, 3))


@pytest.mark.slow
@given(st.recursive(st.none() | st.integers() | st.text(max_size=2), st.lists, max_leaves=20))
def test_anything_is_a_board_or_is_refused_in_one_line(thing: Any) -> None:
    message = ""
    try:
        adapt.read_board(thing)
    except PositionError as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 300


@given(positions(), st.integers(-3, 22), st.integers(-3, 22), st.sampled_from(Side))
def test_a_move_is_valid_on_turn_on_the_board_and_on_an_empty_square(
    position: MnkPosition, row: int, column: int, side: Side
) -> None:
    board = adapt.as_rows(position)
    square = position.game.square_at(row, column)
    inside = 0 <= row < len(board) and 0 <= column < len(board[0])
    valid = (
        inside
        and board[row][column] is None
        and position.outcome() is None
        and side is position.to_move
    )
    assert position.is_legal(square, side) == valid
    if position.to_move is side:
        assert position.is_legal(square) == valid
    assert (square is not None) == inside
