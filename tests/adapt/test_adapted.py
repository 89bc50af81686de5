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
from tests.adapt.adapting import BOARDS, EMPTY, TICTACTOE, positions
from tests.golden import Wording
from tests.samples import few
from tests.simple import lowest


def first_free(flat: list[Any], empty: Any) -> int:
    return list(flat).index(empty)


def results(choose: Callable[..., Any], name: str) -> arena.records.FightResult:
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


@pytest.mark.slow
@settings(max_examples=60)
@given(positions([board for board in BOARDS if board[0] == board[1]]))
def test_an_adapted_player_moves_as_the_same_player_on_positions(position: MnkPosition) -> None:
    if position.outcome() is None:
        before = hash(position)
        for style in STYLES.values():
            assert style(position, random.Random(0)) == lowest(position, random.Random(0))
        assert hash(position) == before


@pytest.mark.slow
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
    "answer",
    [
        (3, 0),
        (0, -1),
        (10**5000, 0),
        None,
        4,
        (1,),
        (1, 1, 1),
        (True, 1),
        (1.0, 1),
        "11",
        (None, None),
    ],
)
def test_a_pair_that_is_no_place_is_an_illegal_move(answer: Any, wording: Wording) -> None:
    record = game_of(rows_with(answer))
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (Side.FIRST, "illegal")
    wording(record.forfeit.message)


@pytest.mark.parametrize(
    "choose",
    [
        adapt.vector(lambda board: -1),
        adapt.vector(lambda board: 9),
        adapt.vector(lambda board: None),
        adapt.word(lambda board: 0),
        adapt.word(lambda board: "10"),
        adapt.word(lambda board: 10**5000),
        adapt.word(lambda board: None),
        adapt.symbols(lambda board: (0, 3)),
        adapt.symbols(lambda board: "y" * 999),
        adapt.vector(lambda board: board),
    ],
)
def test_other_wrong_answers_too(choose: Callable[..., Any], wording: Wording) -> None:
    record = game_of(choose)
    assert record.forfeit is not None
    assert record.forfeit.reason == "illegal"
    wording(record.forfeit.message)
    assert len(record.forfeit.message) <= MAX_REPEATED_MESSAGE


def test_a_taken_square_is_an_illegal_move_and_an_exception_is_one(wording: Wording) -> None:
    record = game_of(rows_with((0, 0)))
    assert record.forfeit is not None
    assert (record.moves, record.forfeit.reason) == ((0, 1), "illegal")
    wording(record.forfeit.message)
    record = game_of(adapt.rows(lambda board: board[3][0]))
    assert record.forfeit is not None
    assert (record.forfeit.reason, record.forfeit.message[:11]) == ("exception", "IndexError:")


def test_a_wrong_answer_is_told_wherever_a_player_is_asked(wording: Wording) -> None:
    with wording.raises(arena.ArenaError):
        arena.distribution(rows_with((3, 3)), EMPTY)


def test_a_game_that_is_not_played_by_taking_squares_is_refused(wording: Wording) -> None:
    record = game_of(STYLES["vector"], arena.get_game("connect4"))
    assert record.forfeit is not None
    assert record.forfeit.reason == "exception"
    wording(record.forfeit.message, "CannotPlay: connect4 ")


@pytest.mark.parametrize(
    "function",
    [
        lambda: 0,
        lambda a, b, c: 0,
        lambda rng: 0,
        lambda *boards: 0,
        7,
        None,
    ],
)
def test_what_cannot_be_adapted_is_refused_at_once(function: Any, wording: Wording) -> None:
    for adapter in (adapt.rows, adapt.word, adapt.symbols, adapt.vector):
        with wording.raises(UsageError):
            adapter(function)


def test_other_parameters_with_defaults_are_left_alone() -> None:
    assert adapt.vector(lambda board, depth=3: depth)(EMPTY, random.Random(0)) == 3


@partial(adapt.rows, marks=("x", "o", " "))
def decorated(board: list[list[str]], player: str) -> tuple[int, int]:
    """In the file itself."""
    return next((i, j) for i in range(3) for j in range(3) if board[i][j] == " ")


@pytest.mark.slow
def test_a_decorated_function_is_its_files_own_and_can_be_sent_to_workers(wording: Wording) -> None:
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert decorated.__module__ == __name__
    wording(decorated.__doc__)
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
