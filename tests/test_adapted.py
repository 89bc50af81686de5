"""Functions on other boards as players."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import isqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import arena
from arena import adapt
from arena.errors import MAX_REPEATED_MESSAGE, UsageError
from arena.game import Side
from arena.games.mnk import MnkPosition
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue
from arena.rng import Stream
from arena.sandbox.settings import Isolation
from arena.store.code import code_digest
from tests.adapting import BOARDS, EMPTY, TICTACTOE, positions
from tests.samples import few
from tests.simple import lowest


def first_free(flat: list[Any], empty: Any) -> int:
    return list(flat).index(empty)


def results(choose: Callable[..., Any], name: str) -> arena.FightResult:
    """Return what a player of that name comes to; a game's chance depends on the name."""
    return arena.fight(PlayerInfo(name, choose), "monkey", n=20, seed=1)


def by_rows(board: list[list[Any]], player: str) -> tuple[int, int]:
    flat = [cell for row in board for cell in row]
    assert player == "XO"[sum(map(bool, flat)) % 2]
    board[0][0] = player  # its own board
    return divmod(first_free(flat, None), len(board))


def by_word(position: str, me: str) -> int:
    assert me == "xo"[(len(position) - position.count("_")) % 2]
    return position.index("_") + 1


def by_symbols(board: list[str], player: str) -> tuple[int, int]:
    assert player == "XO"[(len(board) - board.count("E")) % 2]
    square, width = first_free(board, "E"), isqrt(len(board))
    board.clear()
    return divmod(square, width)


def by_vector(board: list[int]) -> int:
    return first_free(board, -1)


STYLES: dict[str, Callable[[MnkPosition, random.Random], int]] = {
    "rows": adapt.rows(by_rows),
    "word": adapt.word(by_word),
    "word as text": adapt.word(lambda position, me: str(by_word(position, me))),
    "symbols": adapt.symbols(by_symbols),
    "vector": adapt.vector(by_vector),
    "signs": adapt.vector(lambda board, me: first_free(board, 0), marks=(1, -1, 0)),
}


@settings(max_examples=60)
@given(positions([board for board in BOARDS if board[0] == board[1]]))
def test_an_adapted_player_moves_as_the_same_player_on_positions(position: MnkPosition) -> None:
    if position.outcome() is None:
        before = hash(position)
        for style in STYLES.values():
            assert style(position, random.Random(0)) == lowest(position, random.Random(0))
        assert hash(position) == before


@pytest.mark.parametrize("style", few(STYLES, 3))
def test_adapted_players_fight_as_the_same_player(style: str) -> None:
    assert results(STYLES[style], "same") == results(lowest, "same")


def test_what_a_function_does_to_its_board_is_seen_by_nobody() -> None:
    boards = []

    @adapt.rows
    def spoiler(board: list[list[Any]], player: str) -> tuple[int, int]:
        boards.append([row[:] for row in board])
        for row in board:
            row.clear()
        return 1, 1

    for _ in range(2):
        assert spoiler(EMPTY, random.Random(0)) == 4
    assert boards == [[[None] * 3] * 3] * 2


def test_a_function_that_asks_for_it_gets_the_players_generator() -> None:
    @adapt.word
    def chooser(position: str, me: str, rng: random.Random) -> int:
        return rng.choice([s for s, letter in enumerate(position, 1) if letter == "_"])

    assert arena.distribution(chooser, "xo_xo____") == {s: Fraction(1, 5) for s in (2, 5, 6, 7, 8)}
    keyword = adapt.vector(lambda board, *, rng: rng.choice([0, 1]))
    assert arena.distribution(keyword, EMPTY) == {0: Fraction(1, 2), 1: Fraction(1, 2)}


def rows_with(answer: Any) -> Callable[..., Any]:
    return adapt.rows(lambda board: answer)


def game_of(choose: Callable[..., Any], game: Any = TICTACTOE) -> GameRecord:
    players = (PlayerInfo("adapted", choose), PlayerInfo("lowest", lowest))
    return play_game(game, players, "test", (Stream(), Stream()))


class Rude:
    def __repr__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((3, 0), "answered (3, 0), which is outside 3 rows and 3 columns counted from 0"),
        ((0, -1), "answered (0, -1), which is outside 3 rows and 3 columns counted from 0"),
        ((10**5000, 0), "answered a tuple, which is outside 3 rows and 3 columns counted from 0"),
        (None, "answered None, which is not (row, column)"),
        (4, "answered 4, which is not (row, column)"),
        ((1,), "answered (1,), which is not (row, column)"),
        ((1, 1, 1), "answered (1, 1, 1), which is not (row, column)"),
        ((True, 1), "answered (True, 1), which is not (row, column)"),
        ((1.0, 1), "answered (1.0, 1), which is not (row, column)"),
        ("11", "answered '11', which is not (row, column)"),
        ((None, None), "answered (None, None), which is not (row, column)"),
    ],
)
def test_a_pair_that_is_no_place_is_an_illegal_move(answer: Any, message: str) -> None:
    record = game_of(rows_with(answer))
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (Side.FIRST, "illegal")
    assert record.forfeit.message == message


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (adapt.vector(lambda board: -1), "answered -1, which is not one of 0 to 8"),
        (adapt.vector(lambda board: 9), "answered 9, which is not one of 0 to 8"),
        (adapt.vector(lambda board: None), "answered None, which is not one of 0 to 8"),
        (adapt.word(lambda board: 0), "answered 0, which is not one of 1 to 9"),
        (adapt.word(lambda board: "10"), "answered '10', which is not one of 1 to 9"),
        (adapt.word(lambda board: 10**5000), "answered a int, which is not one of 1 to 9"),
        (adapt.word(lambda board: None), "answered None, which is not one of 1 to 9"),
        (adapt.symbols(lambda board: (0, 3)), "answered (0, 3), which is outside 3 rows and 3"),
        (adapt.symbols(lambda board: "y" * 999), "answered 'yyyyyyyyyyyy...yyyyyyyyyyyyy', which"),
        (adapt.vector(lambda board: board), "answered [-1, -1, -1, -1, -1, -1, ...], which is"),
    ],
)
def test_other_wrong_answers_too(choose: Callable[..., Any], message: str) -> None:
    record = game_of(choose)
    assert record.forfeit is not None
    assert record.forfeit.reason == "illegal"
    assert record.forfeit.message.startswith(message)
    assert len(record.forfeit.message) <= MAX_REPEATED_MESSAGE


def test_a_taken_square_is_an_illegal_move_and_an_exception_is_one() -> None:
    record = game_of(rows_with((0, 0)))
    assert record.forfeit is not None
    assert (record.moves, record.forfeit.reason) == ((0, 1), "illegal")
    assert record.forfeit.message.startswith("choose returned 0, a taken square; ")
    record = game_of(adapt.rows(lambda board: board[3][0]))
    assert record.forfeit is not None
    assert (record.forfeit.reason, record.forfeit.message[:11]) == ("exception", "IndexError:")


def test_a_wrong_answer_is_told_wherever_a_player_is_asked() -> None:
    with pytest.raises(arena.ArenaError, match=r"it answered \(3, 3\), which is outside 3 rows"):
        arena.distribution(rows_with((3, 3)), EMPTY)


def test_a_game_that_is_not_played_by_taking_squares_is_refused() -> None:
    record = game_of(STYLES["vector"], arena.get_game("connect4"))
    assert record.forfeit is not None
    message = "CannotPlay: connect4 is not played by taking squares of a board"
    assert (record.forfeit.reason, record.forfeit.message) == ("exception", message)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda: 0, r"<lambda>\(\) cannot be adapted: it must be f\(board\)"),
        (lambda a, b, c: 0, r"<lambda>\(a, b, c\) cannot be adapted"),
        (lambda rng: 0, r"<lambda>\(rng\) cannot be adapted"),
        (lambda *boards: 0, r"<lambda>\(\) cannot be adapted"),
        (7, "an adapter is for a function, not for a int"),
        (None, "not for a NoneType"),
    ],
)
def test_what_cannot_be_adapted_is_refused_at_once(function: Any, problem: str) -> None:
    for adapter in (adapt.rows, adapt.word, adapt.symbols, adapt.vector):
        with pytest.raises(UsageError, match=problem):
            adapter(function)


def test_other_parameters_with_defaults_are_left_alone() -> None:
    assert adapt.vector(lambda board, depth=3: depth)(EMPTY, random.Random(0)) == 3


@partial(adapt.rows, marks=("x", "o", " "))
def decorated(board: list[list[str]], player: str) -> tuple[int, int]:
    """In the file itself."""
    return next((i, j) for i in range(3) for j in range(3) if board[i][j] == " ")


@pytest.mark.slow
def test_a_decorated_function_is_its_files_own_and_can_be_sent_to_workers() -> None:
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert decorated.__module__ == __name__
    assert decorated.__doc__ == "In the file itself."
    assert arena.check(decorated, seed=1, positions=50).conforms


THEIRS = """
def perfect(board, player):
    return next((i, j) for i in range(3) for j in range(3) if not board[i][j])
"""


@pytest.mark.slow
def test_a_file_of_one_line_makes_a_player_of_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "exercise_one.py").write_text(THEIRS)
    bot = tmp_path / "adapted_bot.py"
    bot.write_text(
        "from arena import adapt\nimport exercise_one\nchoose = adapt.rows(exercise_one.perfect)\n"
    )
    fight = ("fight", "./adapted_bot.py", "monkey", "-n", "20", "--seed", "1", "-j", "2")
    ran = run(*fight, "--isolation", "none")
    assert (ran.code, ran.err) == (0, "")
    expected = results(lowest, "./adapted_bot.py").total
    assert f"adapted_bot wins: {expected.wins}," in ran.out
    info = load_catalogue().isolated(Isolation(tier="none")).player("./adapted_bot.py")
    digest = code_digest(info)
    bot.write_text(bot.read_text() + "# another line\n")
    assert code_digest(info) != digest
    (tmp_path / "exercise_one.py").write_text(THEIRS + "\n")
    assert len({digest, code_digest(info)}) == 2
    for words in ((), ("--readable", "exercise_one.py")):
        apart = run(*fight, *words)
        assert (apart.code, apart.err) == (0, "")
    assert f"adapted_bot wins: {expected.wins}," in apart.out
