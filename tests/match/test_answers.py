"""What a player may answer, and what forfeits the game."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import Game, Outcome, Side
from arena.games.connect4 import CONNECT4
from arena.match.record import Forfeit, GameRecord
from arena.testing import ScriptedPlayer
from tests.golden import Wording
from tests.match.games import TICTACTOE, Choose, EvilIndex, play
from tests.simple import lowest


class Three:
    """An integer of some other library."""

    def __index__(self) -> int:
        return 3


class ThreeOfInt(int):
    """An int that tells lies about itself."""

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        raise RuntimeError("compared")

    __gt__ = __le__ = __ge__ = __rlshift__ = __lt__
    __hash__ = int.__hash__

    def __index__(self) -> int:
        return 99


@pytest.mark.parametrize("answer", [3, Three(), ThreeOfInt(3)], ids=["int", "index", "subclass"])
def test_integers_of_any_make_are_moves_and_are_recorded_as_plain_ones(answer: Any) -> None:
    record = play(ScriptedPlayer(answer, 4, 5), ScriptedPlayer(0, 1))
    assert record.moves == (3, 0, 4, 1, 5)
    assert all(type(move) is int for move in record.moves)
    assert record.forfeit is None


class IndexOfText:
    """Its index is not an integer."""

    def __index__(self) -> int:
        return "3"  # type: ignore[return-value]


class EvilClass:
    """It does not even tell its class."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        raise RuntimeError("asked for its class")


class PretendsToBeInt:
    """It says that it is an int and is none."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (None, "None"),
        (-1, "-1"),
        (9, "9"),
        (99, "99"),
        ("3", "'3'"),
        (b"3", "b'3'"),
        (3.0, "3.0"),
        (float("nan"), "nan"),
        (True, "True"),
        (False, "False"),
        ([3], "[3]"),
        ((3,), "(3,)"),
        ({3: 1}, "{3: 1}"),
        (3 + 0j, "(3+0j)"),
        (int, "<class 'int'>"),
        (lowest, "<function lowest at"),
        (range(10**9), "range(0, 1000000000)"),
        (EvilIndex(RuntimeError("no")), " int"),
        (EvilIndex(RecursionError("no")), " int"),
        (IndexOfText(), " int"),
        (EvilClass(), " int"),
        (PretendsToBeInt(), " int"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_other_answer_forfeits_the_game(answer: object, part: str, wording: Wording) -> None:
    record = play(ScriptedPlayer(answer))
    assert record.moves == ()
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (Side.FIRST, "illegal")
    wording(record.forfeit.message, part)


def test_a_taken_square_forfeits_the_game_and_keeps_the_moves_before() -> None:
    record = play(ScriptedPlayer(0, 1), ScriptedPlayer(4, 0))
    message = "choose returned 0, a taken square; the legal moves are 2, 3, 5, 6, 7, 8"
    remedy = "In Python squares count from 0 (the board shows 1 to 9)"
    forfeit = Forfeit(Side.SECOND, "illegal", message, remedy=remedy)
    assert record == GameRecord((0, 4, 1), Outcome.FIRST_WINS, forfeit)


@pytest.mark.parametrize("game", [TICTACTOE, CONNECT4], ids=lambda game: game.name)
@pytest.mark.parametrize("answer", [2**64, -(2**64), 10**5000], ids=["long", "negative", "huge"])
def test_a_huge_number_forfeits_the_game(game: Game, answer: int) -> None:
    record = play(ScriptedPlayer(answer), game=game)
    assert record.forfeit is not None
    assert record.forfeit.reason == "illegal"
    assert len(record.forfeit.message) < 200


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), BaseException("no")], ids=repr)
def test_an_answer_that_tries_to_end_the_program_forfeits_the_game(error: BaseException) -> None:
    record = play(lowest, ScriptedPlayer(EvilIndex(error)))
    assert record.outcome is Outcome.FIRST_WINS
    assert record.forfeit is not None
    assert record.forfeit.side is Side.SECOND


class Nameless(type):
    """The class of classes that do not tell their names."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError("asked for its name")


class NamelessAnswer(metaclass=Nameless):
    """An answer of such a class."""


class NamelessError(Exception, metaclass=Nameless):
    """An exception of such a class."""


@pytest.mark.parametrize(
    "choose",
    [ScriptedPlayer(NamelessAnswer()), ScriptedPlayer(NamelessError())],
    ids=["answer", "exception"],
)
def test_what_does_not_tell_its_name_forfeits_the_game(choose: Choose) -> None:
    record = None
    with contextlib.suppress(RuntimeError):  # no report could be made of what gets out
        record = play(choose)
    assert record is not None
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some),
        max_leaves=5,
    )
)
def test_any_json_is_a_legal_move_or_forfeits_the_game(answer: object) -> None:
    record = play(ScriptedPlayer(answer, 7, 8, 6, 5, 4, 3))
    if type(answer) is int and 0 <= answer < 9:
        assert record.moves[0] == answer
    else:
        assert record.moves == ()
        assert record.forfeit is not None
        assert record.forfeit.reason == "illegal"
