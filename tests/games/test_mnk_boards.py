"""The boards of m,n,k games: names, squares, moves as text, pictures."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import MoveError, UsageError
from arena.games.board import MAX_SIDE
from arena.games.mnk import mnk_game
from tests.golden import Wording

Board = tuple[int, int, int]

TICTACTOE = mnk_game(3, 3, 3)
BOARDS = [(3, 3, 3), (4, 3, 3), (3, 4, 4), (4, 4, 4), (5, 1, 3), (1, 6, 2), (1, 1, 1), (20, 20, 5)]


@pytest.mark.parametrize("board", BOARDS)
def test_a_move_is_written_as_the_squares_number_from_1(board: Board) -> None:
    game = mnk_game(*board)
    for move in range(game.squares):
        assert game.format_move(move) == str(move + 1)
        assert game.parse_move(game.format_move(move)) == move


@given(st.text(max_size=12) | st.text("0123456789", max_size=12) | st.integers().map(str))
def test_any_text_is_the_number_of_a_square_or_no_move(text: str) -> None:
    message = ""
    try:
        move = TICTACTOE.parse_move(text)
    except MoveError as error:
        message = str(error)
    if message:
        assert text not in set("123456789")
        assert " 1 to 9" in message
        assert "\n" not in message
    else:
        assert move == int(text) - 1
        assert 0 <= move < 9


@pytest.mark.parametrize(
    "text", ["0", "10", "-1", "+1", " 1", "1.0", "x", "", "\u0663", "²", "1" * 5000]
)
def test_a_text_that_names_no_square_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(MoveError):
        TICTACTOE.parse_move(text)


@pytest.mark.parametrize("text", ["0000000011", "00000000019", "1000000000"])
def test_a_long_number_is_read_whole_or_refused(text: str) -> None:
    try:
        move = mnk_game(4, 4, 4).parse_move(text)
    except MoveError:
        return
    assert move == int(text) - 1


def test_a_picture_shows_marks_and_the_numbers_of_free_squares() -> None:
    assert TICTACTOE.parse("xo__x____").picture() == (
        " x | o | 3\n---+---+---\n 4 | x | 6\n---+---+---\n 7 | 8 | 9"
    )


@settings(max_examples=40)
@given(st.sampled_from(BOARDS), st.lists(st.integers(0, 399), max_size=30))
def test_the_cells_of_a_picture_are_the_squares(board: Board, numbers: list[int]) -> None:
    position = mnk_game(*board).start()
    for number in numbers:
        legal = position.legal_moves()
        position = position.play(legal[number % len(legal)]) if legal else position
    shown = position.picture().split("\n")
    if max(board[:2]) > 3:
        rows = [row.split() for row in shown[:-1]]
        assert [row[0] for row in rows] == [str(n) for n in range(board[1], 0, -1)]
        assert shown[-1].split() == list("abcdefghijklmnopqrst"[: board[0]])
        cells = [cell for row in rows for cell in row[1:]]
        assert "".join(cells).replace(".", "_") == str(position)
    else:
        cells = [cell for row in shown[::2] for cell in row.replace("|", " ").split()]
        assert cells == [
            str(number) if letter == "_" else letter
            for number, letter in enumerate(str(position), start=1)
        ]
    assert all(line == line.rstrip() and len(line) < 80 for line in shown)


@given(st.sampled_from(BOARDS), st.integers(0, 399))
def test_a_square_is_read_by_its_number_and_as_the_rulers_name_it(
    board: Board, number: int
) -> None:
    position = mnk_game(*board).start()
    move = number % (board[0] * board[1])
    written = position.write_move(move)
    assert position.read_move(written) == position.read_move(str(move + 1)) == move
    if max(board[:2]) > 3:
        lines = position.play(move).marked_picture(move).split("\n")
        (line,) = (line for line in lines if "(x)" in line)
        assert line.split()[0] == written[1:]
        assert lines[-1][line.index("x")] == written[0]


def test_on_a_large_board_the_last_move_and_the_line_stand_out() -> None:
    position = mnk_game(15, 15, 5).start()
    for text in ["h8", "a1", "i9", "b1", "j10", "c1", "k11", "d1", "l12"]:
        position = position.play(position.read_move(text))
    lines = position.marked_picture(position.read_move("l12")).split("\n")
    assert lines[3] == "12  . . . . . . . . . . .(X). . ."
    assert lines[7] == " 8  . . . . . . . X . . . . . . ."
    assert lines[14:] == [
        " 1  o o o o . . . . . . . . . . .",
        "    a b c d e f g h i j k l m n o",
    ]


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ((3, 3, 3), "tictactoe"),
        ((4, 4, 4), "tictactoe-4"),
        ((1, 1, 1), "tictactoe-1"),
        ((4, 4, 3), "mnk-4-4-3"),
        ((5, 4, 3), "mnk-5-4-3"),
    ],
)
def test_a_game_is_named_by_its_board_and_made_once(board: Board, name: str) -> None:
    game = mnk_game(*board)
    assert game.name == name
    assert game.max_plies == board[0] * board[1]
    assert mnk_game(*board) is game
    assert pickle.loads(pickle.dumps(game)) is game


@pytest.mark.parametrize(
    "board",
    [
        (0, 3, 3),
        (3, -1, 3),
        (MAX_SIDE + 1, 3, 3),
        (3, MAX_SIDE + 1, 3),
        (3, 3, 4),
        (3, 3, 0),
        (5, 3, 6),
    ],
)
def test_a_board_that_cannot_be_is_refused(board: Board, wording: Wording) -> None:
    with wording.raises(UsageError):
        mnk_game(*board)


@pytest.mark.parametrize(
    ("board", "corners", "centre", "sides"),
    [
        ((3, 3, 3), (0, 2, 6, 8), 4, (1, 3, 5, 7)),
        ((4, 3, 3), (0, 3, 8, 11), None, (1, 2, 4, 7, 9, 10)),
        ((5, 3, 3), (0, 4, 10, 14), 7, (1, 2, 3, 5, 9, 11, 12, 13)),
        ((3, 1, 3), (0, 2), 1, ()),
        ((1, 1, 1), (0,), 0, ()),
        ((2, 2, 2), (0, 1, 2, 3), None, ()),
    ],
)
def test_a_board_knows_its_corners_centre_and_sides(
    board: Board, corners: tuple[int, ...], centre: int | None, sides: tuple[int, ...]
) -> None:
    game = mnk_game(*board)
    assert (game.corners, game.centre, game.sides) == (corners, centre, sides)


def test_squares_are_ordered_by_the_lines_through_them() -> None:
    assert TICTACTOE.by_lines == (4, 0, 2, 6, 8, 1, 3, 5, 7)


@pytest.mark.parametrize("columns", range(1, MAX_SIDE + 1))
@pytest.mark.parametrize("rows", [1, 5, MAX_SIDE])
def test_a_picture_of_any_board_fits_a_terminal_of_80_columns(columns: int, rows: int) -> None:
    lines = mnk_game(columns, rows, 1).start().picture().splitlines()
    assert max(map(len, lines)) <= 80


def test_a_small_board_is_drawn_with_numbers_and_rules() -> None:
    assert mnk_game(2, 2, 2).start().play(3).picture() == " 1 | 2\n---+---\n 3 | x"
