"""Connect four, compared with a naive implementation that drops letters into a grid."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import IllegalMove, MoveError, PositionError
from arena.game import Outcome, Side
from arena.games.connect4 import CONNECT4, ConnectPosition
from tests.golden import Wording

COLUMNS, ROWS = 7, 6
COLUMN_NUMBERS = range(COLUMNS)
LINES = [
    [(row + i * down, column + i * right) for i in range(4)]
    for row, column in product(range(ROWS), range(COLUMNS))
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
]


def drop(letters: str, column: int, mark: str) -> str:
    """Return the text after the mark falls to the lowest free square; the same if there is none."""
    for row in reversed(range(ROWS)):
        at = row * COLUMNS + column
        if letters[at] == "_":
            return letters[:at] + mark + letters[at + 1 :]
    return letters


def has_line(letters: str, mark: str) -> bool:
    return any(all(letters[r * COLUMNS + c] == mark for r, c in line) for line in LINES)


def outcome_of(letters: str) -> Outcome | None:
    if has_line(letters, "x"):
        return Outcome.FIRST_WINS
    if has_line(letters, "o"):
        return Outcome.SECOND_WINS
    return None if "_" in letters else Outcome.DRAW


def mirrored(letters: str) -> str:
    rows = [letters[at : at + COLUMNS] for at in range(0, len(letters), COLUMNS)]
    return "".join(row[::-1] for row in rows)


def after(*moves: int) -> ConnectPosition:
    position = CONNECT4.start()
    for move in moves:
        position = position.play(move)
    return position


def bottom(*rows: str) -> str:
    """Return the text of a board whose lowest rows are these, the lowest last."""
    return ("_" * COLUMNS * ROWS + "".join(rows))[-COLUMNS * ROWS :]


@st.composite
def positions(draw: st.DrawFn) -> ConnectPosition:
    position = CONNECT4.start()
    for number in draw(st.lists(st.integers(0, 6), max_size=42)):
        legal = position.legal_moves()
        if legal:
            position = position.play(legal[number % len(legal)])
    return position


def test_a_board_has_69_lines() -> None:
    assert len(LINES) == 69


# The rules.


@given(positions())
def test_positions_agree_with_naive_rules(position: ConnectPosition) -> None:
    letters = str(position)
    assert position.outcome() == outcome_of(letters)
    assert position.ply == len(letters) - letters.count("_")
    assert position.to_move == (Side.SECOND if position.ply % 2 else Side.FIRST)
    room = [] if position.outcome() else [c for c in COLUMN_NUMBERS if letters[c] == "_"]
    assert list(position.legal_moves()) == room
    for move in room:
        assert str(position.play(move)) == drop(letters, move, "xo"[position.ply % 2])
    for side, mark in zip(Side, "xo", strict=True):
        wins = [c for c in room if has_line(drop(letters, c, mark), mark)]
        assert list(position.winning_moves(side)) == wins


@given(st.permutations([c for c in COLUMN_NUMBERS for _ in range(ROWS)]))
def test_games_of_random_columns_end_as_in_naive_play(moves: list[int]) -> None:
    position, letters = CONNECT4.start(), "_" * 42
    for ply, move in enumerate(moves):
        if outcome_of(letters) is not None:
            break
        position, letters = position.play(move), drop(letters, move, "xo"[ply % 2])
    assert str(position) == letters
    assert position.outcome() == outcome_of(letters)
    assert position.outcome() is not None
    assert position.legal_moves() == ()


@pytest.mark.parametrize("line", LINES, ids=lambda line: "".join(f"{r}{c}" for r, c in line))
def test_each_line_wins_for_either_side_and_three_of_it_do_not(line: list[tuple[int, int]]) -> None:
    bits = [1 << 7 * column + ROWS - 1 - row for row, column in line]
    other = [1 << 7 * c + r for c in COLUMN_NUMBERS for r in range(ROWS)]
    others = [bit for bit in other if bit not in bits]
    assert ConnectPosition(CONNECT4, sum(bits), sum(others[:3])).outcome() is Outcome.FIRST_WINS
    assert ConnectPosition(CONNECT4, sum(others[:4]), sum(bits)).outcome() is Outcome.SECOND_WINS
    for bit in bits:
        assert ConnectPosition(CONNECT4, sum(bits) - bit, sum(others[:2])).outcome() is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    columns = [0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 2, 3, 2, 3, 2, 3, 3, 2, 3, 2, 3, 2]
    columns += [4, 5, 4, 5, 4, 5, 5, 4, 5, 4, 5, 4, 6, 6, 6, 6, 6, 6]
    position = after(*columns)
    assert position.ply == CONNECT4.max_plies == 42
    assert position.outcome() is Outcome.DRAW
    assert position.legal_moves() == ()


@given(positions(), st.integers() | st.integers(-3, 9))
def test_any_int_is_played_or_illegal(position: ConnectPosition, move: int) -> None:
    if move in position.legal_moves():
        assert position.play(move).ply == position.ply + 1
    else:
        with pytest.raises(IllegalMove):
            position.play(move)


@pytest.mark.parametrize("move", [-1, -7, 7, 42, 2**64, -(2**64)])
def test_a_number_that_is_no_column_is_illegal_and_named(move: int, wording: Wording) -> None:
    with wording.raises(IllegalMove, match=f"'{move}' .* connect4"):
        CONNECT4.start().play(move)


@pytest.mark.parametrize("move", [10**5000, -(10**5000)], ids=["positive", "negative"])
def test_a_number_too_long_to_print_is_illegal(move: int, wording: Wording) -> None:
    with wording.raises(IllegalMove):
        CONNECT4.start().play(move)


@pytest.mark.parametrize("column", COLUMN_NUMBERS)
def test_a_full_column_is_illegal_and_named(column: int, wording: Wording) -> None:
    with wording.raises(IllegalMove, match=f"column {column + 1} "):
        after(*[column] * ROWS).play(column)


def test_after_the_end_nothing_is_legal(wording: Wording) -> None:
    position = after(0, 1, 0, 1, 0, 1, 0)
    assert position.outcome() is Outcome.FIRST_WINS
    assert position.winning_moves(Side.SECOND) == ()
    for move in range(-1, 8):
        with wording.raises(IllegalMove):
            position.play(move)


@given(positions())
def test_a_search_is_offered_a_forced_move_or_all_from_the_middle(
    position: ConnectPosition,
) -> None:
    me, offered = position.to_move, position.search_moves()
    forced = position.winning_moves(me) or position.winning_moves(me.other)
    if forced:
        assert offered in [(move,) for move in forced]
    else:
        assert sorted(offered) == list(position.legal_moves())
        assert [abs(c - 3) for c in offered] == sorted(abs(c - 3) for c in offered)


# Text.


@given(positions())
def test_a_position_survives_text_pickle_and_copy(position: ConnectPosition) -> None:
    copies = [
        CONNECT4.parse(str(position)),
        CONNECT4.parse(str(position).upper().replace("_", ".")),
        *(pickle.loads(pickle.dumps(position, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy(position),
        copy.deepcopy(position),
    ]
    for again in copies:
        assert again == position
        assert hash(again) == hash(position)
        assert type(again) is ConnectPosition
        assert again.game is CONNECT4


@given(st.text("xo_", min_size=42, max_size=42))
def test_what_is_read_obeys_the_rules(letters: str) -> None:
    try:
        position = CONNECT4.parse(letters)
    except PositionError:
        return
    assert str(position) == letters
    assert letters.count("x") - letters.count("o") in (0, 1)


def test_the_top_row_comes_first_and_rows_may_be_set_apart() -> None:
    text = " / ".join(["......."] * 4 + ["o......", "x......"])
    assert CONNECT4.parse(text) == after(0, 0)
    assert str(after(0, 0)) == bottom("o______", "x______")


@pytest.mark.parametrize(
    "letters",
    [
        "_" * 41,
        "_" * 43,
        "z" + "_" * 41,
        bottom("xx_____"),
        bottom("o______"),
        "x" + "_" * 41,
        bottom("___x___", "_______"),
        bottom("______x", "_______", "______o"),
        bottom("oooo___", "xxxx___"),
        bottom("o______", "xxxxooo"),
        bottom("xx_____", "xxxoooo"),
        bottom("ooox___", "xxxxo__"),
    ],
)
def test_a_refusal_names_what_is_wrong(letters: str, wording: Wording) -> None:
    with pytest.raises(PositionError) as caught:
        CONNECT4.parse(letters)
    wording(str(caught.value))


def test_two_wins_that_one_disc_cannot_have_made_are_refused(wording: Wording) -> None:
    with wording.raises(PositionError):
        CONNECT4.parse(bottom("____o__", "xxxxooo", "xxxxooo"))


def test_two_wins_that_one_disc_made_are_read() -> None:
    letters = bottom("___x___", "__xx___", "_xoxo__", "xooxoo_")
    assert CONNECT4.parse(letters).outcome() is Outcome.FIRST_WINS


@pytest.mark.parametrize("move", COLUMN_NUMBERS)
def test_a_move_is_written_as_the_columns_number_from_1(move: int) -> None:
    assert CONNECT4.format_move(move) == str(move + 1)
    assert CONNECT4.parse_move(str(move + 1)) == move


@pytest.mark.parametrize("text", ["0", "8", "-1", "", "12", "x", " 1", "\u0661", "1" * 5000])
def test_a_text_that_names_no_column_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(MoveError):
        CONNECT4.parse_move(text)


def test_a_picture_shows_rows_from_the_top_and_numbers_the_columns() -> None:
    empty = " . . . . . . ."
    assert after(3, 3, 0).picture().split("\n") == [
        *[empty] * 4,
        " . . . o . . .",
        " x . . x . . .",
        " 1 2 3 4 5 6 7",
    ]


def test_the_last_disc_is_in_brackets_and_the_line_that_won_in_capitals() -> None:
    position = after(3, 0, 3, 0, 3, 0, 3)
    assert position.marked_picture(3).split("\n")[2:] == [
        " . . .(X). . .",
        " o . . X . . .",
        " o . . X . . .",
        " o . . X . . .",
        " 1 2 3 4 5 6 7",
    ]
    assert position.picture().lower() == position.picture()


# Values and symmetry.


def test_a_position_cannot_be_changed() -> None:
    position = after(3)
    for name in ("first", "second", "ply", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 0)
        with pytest.raises(AttributeError):
            object.__setattr__(position, name, 0)
    assert not hasattr(position, "__dict__")
    assert position == after(3)


@pytest.mark.slow
@given(positions())
def test_a_position_and_its_mirror_image_have_one_canonical_position(
    position: ConnectPosition,
) -> None:
    image = CONNECT4.parse(mirrored(str(position)))
    assert image.canonical() == position.canonical()
    assert position.canonical() in (position, image)
    assert image.outcome() == position.outcome()
    assert {COLUMNS - 1 - move for move in image.legal_moves()} == set(position.legal_moves())
    for move in position.legal_moves():
        assert str(image.play(COLUMNS - 1 - move)) == mirrored(str(position.play(move)))


def test_there_is_one_connect_four() -> None:
    assert pickle.loads(pickle.dumps(CONNECT4)) is CONNECT4
    assert CONNECT4.name == "connect4"


@given(positions())
def test_an_estimate_is_what_open_lines_are_worth(position: ConnectPosition) -> None:
    letters, worth = str(position), 0
    for line in LINES:
        marks = "".join(letters[r * COLUMNS + c] for r, c in line).replace("_", "")
        if len(set(marks)) == 1:
            worth += 10 ** len(marks) * (1 if marks[0] == "x" else -1)
    assert position.estimate() == worth
    assert all(image.estimate() == worth for image, _ in position.images())
