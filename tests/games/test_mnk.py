"""The rules of m,n,k games, compared with naive ones over lists of letters."""

from __future__ import annotations

import copy
import pickle
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import IllegalMove
from arena.game import Outcome, Side
from arena.games.mnk import MnkPosition, mnk_game
from tests.boards import every_position
from tests.golden import Wording

Board = tuple[int, int, int]

TICTACTOE = mnk_game(3, 3, 3)
BOARDS = [
    (3, 3, 3),
    (4, 3, 3),
    (3, 4, 4),
    (4, 4, 4),
    (5, 4, 4),
    (5, 5, 3),
    (5, 1, 3),
    (1, 6, 2),
    (1, 1, 1),
    (2, 2, 2),
    (4, 3, 1),
    (7, 2, 4),
    (9, 9, 5),
    (20, 20, 5),
]


@cache
def lines(columns: int, rows: int, k: int) -> list[frozenset[int]]:
    """Every k squares in a row, found from every square in every direction."""
    results = set()
    for row, column in product(range(rows), range(columns)):
        for down, right in product((-1, 0, 1), repeat=2):
            places = {(row + i * down, column + i * right) for i in range(k)}
            if len(places) == k and all(0 <= r < rows and 0 <= c < columns for r, c in places):
                results.add(frozenset(r * columns + c for r, c in places))
    return list(results)


def board_of(position: MnkPosition) -> Board:
    return position.game.columns, position.game.rows, position.game.k


def has_line(letters: str, mark: str, board: Board) -> bool:
    return any(all(letters[s] == mark for s in line) for line in lines(*board))


def outcome_of(letters: str, board: Board) -> Outcome | None:
    if has_line(letters, "x", board):
        return Outcome.FIRST_WINS
    if has_line(letters, "o", board):
        return Outcome.SECOND_WINS
    return None if "_" in letters else Outcome.DRAW


def free(letters: str) -> list[int]:
    return [square for square, letter in enumerate(letters) if letter == "_"]


def put(letters: str, square: int, mark: str) -> str:
    return letters[:square] + mark + letters[square + 1 :]


def completing(letters: str, mark: str, board: Board) -> list[int]:
    """Free squares that are all that a line of the mark still needs."""
    needed = [[s for s in line if letters[s] != mark] for line in lines(*board)]
    return sorted({n[0] for n in needed if len(n) == 1 and letters[n[0]] == "_"})


def forking(letters: str, mark: str, board: Board) -> list[int]:
    return [s for s in free(letters) if len(completing(put(letters, s, mark), mark, board)) >= 2]


@st.composite
def positions(draw: st.DrawFn, boards: tuple[Board, ...] = tuple(BOARDS)) -> MnkPosition:
    """Return what some moves from the start of some game lead to, its end included."""
    position = mnk_game(*draw(st.sampled_from(boards))).start()
    for number in draw(st.lists(st.integers(0, 399), max_size=40)):
        legal = position.legal_moves()
        if legal:
            position = position.play(legal[number % len(legal)])
    return position


# The rules.


def agrees_with_naive_rules(position: MnkPosition) -> None:
    letters, board = str(position), board_of(position)
    assert position.outcome() == outcome_of(letters, board)
    assert position.ply == len(letters) - letters.count("_")
    assert position.to_move == (Side.SECOND if position.ply % 2 else Side.FIRST)
    expected = [] if position.outcome() else free(letters)
    assert list(position.legal_moves()) == expected
    for side, mark in zip(Side, "xo", strict=True):
        assert position.winning_moves(side) == tuple(completing(letters, mark, board))
        assert position.forking_moves(side) == tuple(forking(letters, mark, board))
    for move in expected:
        assert str(position.play(move)) == put(letters, move, "xo"[position.ply % 2])


@pytest.mark.slow
def test_every_position_of_tictactoe_agrees_with_naive_rules() -> None:
    for position in every_position(TICTACTOE.start()):
        agrees_with_naive_rules(position)


@pytest.mark.slow
@settings(max_examples=12)
@given(positions())
def test_positions_of_any_board_agree_with_naive_rules(position: MnkPosition) -> None:
    agrees_with_naive_rules(position)


@pytest.mark.parametrize("board", BOARDS)
def test_a_games_lines_are_those_found_by_walking(board: Board) -> None:
    game = mnk_game(*board)
    results = [frozenset(s for s in range(game.squares) if line >> s & 1) for line in game.lines]
    assert set(results) == set(lines(*board))
    assert len(results) == len(set(results))


def test_a_side_that_cannot_win_any_more_never_wins() -> None:
    winners: dict[MnkPosition, set[Side]] = {}
    for position in sorted(every_position(TICTACTOE.start()), key=lambda p: -p.ply):
        outcome = position.outcome()
        ended = {outcome.winner} if outcome and outcome.winner is not None else set()
        after = [winners[position.play(move)] for move in position.legal_moves()]
        winners[position] = ended.union(*after)
        for side in Side:
            assert position.can_win(side) or side not in winners[position]


@settings(max_examples=40)
@given(positions())
def test_a_side_can_win_while_a_line_is_free_of_the_other(position: MnkPosition) -> None:
    letters = str(position)
    for side, opponent in ((Side.FIRST, "o"), (Side.SECOND, "x")):
        open_lines = [
            line for line in lines(*board_of(position)) if all(letters[s] != opponent for s in line)
        ]
        assert position.can_win(side) == bool(open_lines)
        if open_lines and position.outcome() is None:
            missing = min([letters[s] for s in line].count("_") for line in open_lines)
            assert position.plies_to_win(side) == 2 * missing - (side == position.to_move)


@settings(max_examples=40)
@given(positions())
def test_an_estimate_is_what_open_lines_are_worth(position: MnkPosition) -> None:
    letters, worth = str(position), 0
    for line in lines(*board_of(position)):
        marks = "".join(letters[s] for s in line).replace("_", "")
        if len(set(marks)) == 1:
            worth += 10 ** len(marks) * (1 if marks[0] == "x" else -1)
    assert position.estimate() == worth
    assert all(image.estimate() == worth for image, _ in position.images())


def test_a_board_on_which_nobody_can_win_is_no_draw_before_it_is_full() -> None:
    position = TICTACTOE.parse("oxooxxxo_")
    assert not position.can_win(Side.FIRST)
    assert not position.can_win(Side.SECOND)
    assert position.outcome() is None


def test_a_search_gets_legal_moves_and_all_of_them_if_none_is_forced() -> None:
    for position in every_position(TICTACTOE.start()):
        if position.legal_moves():
            me, offered = position.to_move, position.search_moves()
            forced = position.winning_moves(me) or position.winning_moves(me.other)
            if forced:
                assert offered in [(move,) for move in forced]
            else:
                assert sorted(offered) == list(position.legal_moves())


@pytest.mark.parametrize("move", [-1, -9, 9, 99, 2**16, 2**64, -(2**64)])
def test_a_number_that_is_no_square_is_illegal_and_named(move: int, wording: Wording) -> None:
    with wording.raises(IllegalMove, match=f"'{move}' .* tictactoe"):
        TICTACTOE.start().play(move)


@pytest.mark.parametrize("move", [10**5000, -(10**5000)], ids=["positive", "negative"])
def test_a_number_too_long_to_print_is_illegal(move: int, wording: Wording) -> None:
    with wording.raises(IllegalMove):
        TICTACTOE.start().play(move)


@pytest.mark.parametrize("square", range(9))
def test_a_taken_square_is_illegal_and_named(square: int, wording: Wording) -> None:
    letters = put("_________", square, "x")
    with wording.raises(IllegalMove, match=f"square {square + 1} .*'{letters}'"):
        TICTACTOE.start().play(square).play(square)


def test_after_the_end_nothing_is_legal(wording: Wording) -> None:
    for letters in ("xxxoo____", "xx_ooox__", "xoxxoxoxo"):
        position = TICTACTOE.parse(letters)
        assert position.legal_moves() == ()
        for move in range(-1, 10):
            with wording.raises(IllegalMove):
                position.play(move)


@pytest.mark.slow
def test_exactly_the_legal_moves_can_be_played_anywhere_in_tictactoe() -> None:
    for position in every_position(TICTACTOE.start()):
        for move in range(-3, 13):
            if move not in position.legal_moves():
                with pytest.raises(IllegalMove):
                    position.play(move)


@given(positions(), st.integers() | st.integers(-5, 405))
def test_any_int_is_played_or_illegal(position: MnkPosition, move: int) -> None:
    if move in position.legal_moves():
        assert position.play(move).ply == position.ply + 1
    else:
        with pytest.raises(IllegalMove):
            position.play(move)


# Positions as values.


def test_a_position_cannot_be_changed() -> None:
    position = TICTACTOE.parse("x___o____")
    for name in ("game", "first", "second", "ply", "to_move", "outcome", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 0)
        with pytest.raises(AttributeError):
            object.__setattr__(position, name, 0)
    with pytest.raises(TypeError):
        position[1] = 0  # type: ignore[index]
    assert not hasattr(position, "__dict__")
    assert str(position) == "x___o____"


def test_playing_leaves_the_position_as_it_was() -> None:
    position = TICTACTOE.parse("x___o____")
    position.play(8)
    assert str(position) == "x___o____"


@settings(max_examples=40)
@given(positions())
def test_a_position_survives_text_pickle_and_copy(position: MnkPosition) -> None:
    copies = [
        position.game.parse(str(position)),
        *(pickle.loads(pickle.dumps(position, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy(position),
        copy.deepcopy(position),
    ]
    for again in copies:
        assert again == position
        assert hash(again) == hash(position)
        assert type(again) is MnkPosition
        assert again.game is position.game


def test_the_same_marks_by_another_way_are_the_same_position() -> None:
    start = TICTACTOE.start()
    one, other = start.play(0).play(4).play(8), start.play(8).play(4).play(0)
    assert one == other
    assert hash(one) == hash(other)
    assert one != start.play(0).play(4).play(7)


def test_the_same_marks_in_another_game_are_another_position() -> None:
    assert mnk_game(4, 3, 3).start() != mnk_game(4, 3, 4).start()
    assert mnk_game(4, 3, 3).start() != mnk_game(3, 4, 3).start()


# Symmetries.


@pytest.mark.parametrize(
    ("board", "number"),
    [
        ((3, 3, 3), 8),
        ((4, 4, 4), 8),
        ((20, 20, 5), 8),
        ((2, 2, 2), 8),
        ((4, 3, 3), 4),
        ((3, 4, 3), 4),
        ((1, 6, 2), 2),
        ((5, 1, 3), 2),
        ((1, 1, 1), 1),
    ],
)
def test_the_symmetries_are_a_group_of_the_right_size(board: Board, number: int) -> None:
    game = mnk_game(*board)
    result = set(game.symmetries)
    assert len(game.symmetries) == len(result) == number
    assert game.symmetries[0] == tuple(range(game.squares))
    assert all(sorted(symmetry) == list(range(game.squares)) for symmetry in result)
    for one, other in product(result, repeat=2):
        assert tuple(one[square] for square in other) in result


@pytest.mark.parametrize("board", BOARDS)
def test_a_symmetry_takes_lines_to_lines(board: Board) -> None:
    for symmetry in mnk_game(*board).symmetries:
        assert {frozenset(symmetry[s] for s in line) for line in lines(*board)} == set(
            lines(*board)
        )


@settings(max_examples=40)
@given(positions())
def test_a_symmetry_keeps_the_rules(position: MnkPosition) -> None:
    for symmetry in position.game.symmetries:
        image = position.transform(symmetry)
        assert image.outcome() == position.outcome()
        assert sorted(image.legal_moves()) == sorted(symmetry[m] for m in position.legal_moves())
        for side in Side:
            assert set(image.winning_moves(side)) == {
                symmetry[m] for m in position.winning_moves(side)
            }
        for move in position.legal_moves()[:9]:
            assert image.play(symmetry[move]) == position.play(move).transform(symmetry)


@pytest.mark.slow
@settings(max_examples=60)
@given(positions())
def test_all_images_have_one_canonical_position_and_it_is_one_of_them(
    position: MnkPosition,
) -> None:
    images = {position.transform(symmetry) for symmetry in position.game.symmetries}
    assert {image.canonical() for image in images} == {position.canonical()}
    assert position.canonical() in images


def test_a_symmetry_moves_marks_as_it_says() -> None:
    position = TICTACTOE.parse("xo_______")
    quarter_turn = (2, 5, 8, 1, 4, 7, 0, 3, 6)
    assert quarter_turn in TICTACTOE.symmetries
    assert str(position.transform(quarter_turn)) == "__x__o___"


# Worked boards.


def test_the_free_ones_of_some_squares_keep_their_order() -> None:
    assert TICTACTOE.parse("x___o____").free((8, 0, 4, 2)) == (8, 2)


def test_threats_of_a_worked_board() -> None:
    position = TICTACTOE.parse("XX_ / OOX / OOX")
    assert position.winning_moves(Side.FIRST) == (2,)
    assert position.winning_moves(Side.SECOND) == (2,)
    assert TICTACTOE.parse("XX_ / OOX / O_X").legal_moves() == (2, 7)


def test_forks_of_a_worked_board() -> None:
    assert TICTACTOE.parse("X__ / _XO / __O").forking_moves(Side.FIRST) == (1, 2, 6)


def test_a_column_of_three_wins() -> None:
    assert TICTACTOE.parse("X__ / XOO / X__").outcome() is Outcome.FIRST_WINS


def test_three_in_a_diagonal_of_a_board_of_four_win_nothing() -> None:
    assert mnk_game(4, 4, 4).parse("O_X_ / _XO_ / XXO_ / ____").outcome() is None
