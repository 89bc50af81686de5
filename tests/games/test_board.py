"""The text of a position: which texts are positions, and what is said of the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import MAX_QUOTED, PositionError
from arena.game import Outcome
from arena.games.board import bits_of, squares_of
from arena.games.mnk import mnk_game

TICTACTOE = mnk_game(3, 3, 3)

#: Boards small enough to read every text of them, with lines that cross, touch and overlap.
SMALL = [(3, 3, 3), (4, 2, 3), (2, 4, 2), (7, 1, 3), (1, 5, 2), (3, 2, 3), (3, 3, 1), (8, 1, 2)]


@cache
def lines(columns: int, rows: int, k: int) -> list[tuple[int, ...]]:
    """Every k squares in a row, each in both directions."""
    results = []
    for row, column, down, right in product(
        range(rows), range(columns), *[range(-1, 2)] * 2, repeat=1
    ):
        places = [(row + i * down, column + i * right) for i in range(k)]
        if len(set(places)) == k and all(0 <= r < rows and 0 <= c < columns for r, c in places):
            results.append(tuple(r * columns + c for r, c in places))
    return results


def won(text: str, letter: str, board: tuple[int, int, int]) -> bool:
    return any(all(text[s] == letter for s in line) for line in lines(*board))


@cache
def texts_that_occur(board: tuple[int, int, int]) -> frozenset[str]:
    """Return what playing on words of letters reaches."""
    start = "_" * (board[0] * board[1])
    result, waiting = {start}, [start]
    while waiting:
        text = waiting.pop()
        if won(text, "x", board) or won(text, "o", board):
            continue
        letter = "o" if text.count("x") > text.count("o") else "x"
        for square, free in enumerate(text):
            if free == "_":
                after = text[:square] + letter + text[square + 1 :]
                if after not in result:
                    result.add(after)
                    waiting.append(after)
    return frozenset(result)


def all_texts(board: tuple[int, int, int]) -> Iterator[str]:
    return map("".join, product("xo_", repeat=board[0] * board[1]))


def refusal(text: str) -> str:
    with pytest.raises(PositionError) as caught:
        TICTACTOE.parse(text)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("board", SMALL, ids=lambda board: "-".join(map(str, board)))
def test_exactly_the_positions_that_occur_can_be_read(board: tuple[int, int, int]) -> None:
    read = set()
    for text in all_texts(board):
        try:
            read.add(str(mnk_game(*board).parse(text)))
        except PositionError:
            continue
    assert read == texts_that_occur(board)


def test_5478_of_the_words_of_nine_letters_are_positions() -> None:
    assert len(texts_that_occur((3, 3, 3))) == 5478


@pytest.mark.slow
def test_every_other_word_of_nine_letters_is_refused_with_its_error() -> None:
    board = (3, 3, 3)
    for text in set(all_texts(board)) - texts_that_occur(board):
        crosses, noughts = text.count("x"), text.count("o")
        if crosses - noughts not in (0, 1):
            reason = f"has {crosses} x and {noughts} o;"
        elif won(text, "x", board) and won(text, "o", board):
            reason = "has both x and o as winners"
        else:
            reason = f" {'x' if won(text, 'x', board) else 'o'} had won"
        assert reason in refusal(text)
        assert repr(text) in refusal(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["''", "has 0 squares", "tictactoe has 9"]),
        ("xo", ["'xo'", "has 2 squares", "tictactoe has 9"]),
        ("xo_x_o___" + "_", ["has 10 squares"]),
        ("xo_q_o___", ["'xo_q_o___'", "'q' at square 4"]),
        ("xo_/_1o___", ["'1' at square 5"]),
        ("xo_é_o___", ["'é' at square 4"]),
        ("xx_______", ["'xx_______'", "2 x and 0 o", "x "]),
        ("o________", ["0 x and 1 o"]),
        ("xxxooo___", ["'xxxooo___'", "x and o"]),
        ("xxxoo_o__", ["after x had won"]),
        ("oooxx_xx_", ["after o had won"]),
    ],
)
def test_a_refusal_names_what_is_wrong(text: str, parts: list[str]) -> None:
    message = refusal(text)
    assert all(part in message for part in parts), message


def test_a_win_in_two_lines_through_the_last_square_is_no_error() -> None:
    assert TICTACTOE.parse("xxxxooxoo").outcome() is Outcome.FIRST_WINS


def test_a_refusal_is_one_line_that_repeats_little_of_a_long_text() -> None:
    message = refusal("x\n" * 10_000)
    assert "\n" not in message
    assert len(message) < MAX_QUOTED + 100
    assert "10000 squares" in message


@given(st.text(max_size=14) | st.text("xXoO_.-eE /\n", max_size=14))
def test_any_text_is_a_position_or_is_refused(text: str) -> None:
    message = ""
    try:
        position = TICTACTOE.parse(text)
    except PositionError as error:
        message = str(error)
    assert "\n" not in message
    assert message or TICTACTOE.parse(str(position)) == position


@given(st.deferred(lambda: st.sampled_from(sorted(texts_that_occur((3, 3, 3))))), st.data())
def test_all_spellings_of_a_position_are_one_position(text: str, data: st.DataObject) -> None:
    spelling = {"x": "xX", "o": "oO", "_": "_.-eE"}
    gaps = st.sampled_from(["", " ", "/", "\n", " / ", "\t", "//"])
    spelt = ""
    for square, letter in enumerate(text):
        spelt += data.draw(gaps) if square % 3 == 0 else ""
        spelt += data.draw(st.sampled_from(spelling[letter]))
    assert str(TICTACTOE.parse(spelt + data.draw(gaps))) == text


def test_the_list_of_a_board_with_e_for_empty_is_read() -> None:
    assert str(TICTACTOE.parse("E E E E X E E E E")) == "____x____"


def test_the_rows_of_a_rectangle_may_be_set_apart() -> None:
    assert str(mnk_game(4, 2, 3).parse("XO.. / ---X")) == "xo_____x"


@pytest.mark.slow
@given(st.sets(st.integers(0, 399)))
def test_squares_and_bits_are_inverse(squares: set[int]) -> None:
    bits = bits_of(sorted(squares))
    assert bits.bit_count() == len(squares)
    assert squares_of(bits) == tuple(sorted(squares))
