"""One game: legality, forfeits, and what a player may do without harm to anybody."""

from __future__ import annotations

import contextlib
import logging
import operator
import random
import signal
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import MAX_REPEATED_MESSAGE, ArenaError, Forfeited, Spoilt, Withdrawn
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.game import Game, Outcome, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import MnkPosition, mnk_game
from arena.match import Forfeit, GameRecord, play_game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.rng import READY_BITS, Stream
from arena.testing import ScriptedPlayer

TICTACTOE = mnk_game(3, 3, 3)
Choose = Callable[[Any, random.Random], Any]


def lowest(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[0]


def anything(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def play(
    first: Choose, second: Choose = lowest, *, game: Game = TICTACTOE, name: str = "g"
) -> GameRecord:
    players = PlayerInfo("first", first), PlayerInfo("second", second)
    return play_game(game, players, name, (Stream(), Stream()))


# Games without forfeits.


def test_three_in_a_row_wins_for_the_first_side() -> None:
    record = play(ScriptedPlayer(0, 1, 2), ScriptedPlayer(3, 4))
    assert record == GameRecord((0, 3, 1, 4, 2), Outcome.FIRST_WINS, None)


def test_three_in_a_row_wins_for_the_second_side() -> None:
    record = play(ScriptedPlayer(0, 1, 8), ScriptedPlayer(3, 4, 5))
    assert record == GameRecord((0, 3, 1, 4, 8, 5), Outcome.SECOND_WINS, None)


def test_a_full_board_is_a_draw() -> None:
    record = play(ScriptedPlayer(0, 1, 5, 6, 8), ScriptedPlayer(4, 2, 3, 7))
    assert record == GameRecord((0, 4, 1, 2, 5, 3, 6, 7, 8), Outcome.DRAW, None)


@given(
    st.sampled_from([TICTACTOE, mnk_game(4, 3, 3), mnk_game(1, 1, 1), CONNECT4]),
    st.text(max_size=9),
)
def test_a_record_is_a_legal_game_to_its_end(game: Game, name: str) -> None:
    record = play(anything, anything, game=game, name=name)
    position = game.start()
    for move in record.moves:
        assert position.outcome() is None
        assert move in position.legal_moves()
        position = position.play(move)
    assert position.outcome() is record.outcome
    assert record.forfeit is None


def test_a_games_name_decides_it() -> None:
    records = [play(anything, anything, name=f"g/{n}") for n in range(50)]
    assert records == [play(anything, anything, name=f"g/{n}") for n in range(50)]
    assert len(set(records)) > 40


def test_streams_used_before_make_no_difference() -> None:
    streams = Stream(), Stream()
    players = PlayerInfo("a", anything), PlayerInfo("b", anything)
    for stream in streams:
        stream.seed(1)
    assert play_game(TICTACTOE, players, "g", streams) == play(anything, anything)


def test_one_players_draws_do_not_change_the_others() -> None:
    seen: list[list[float]] = [[], []]

    def thrifty(position: Position, rng: random.Random) -> int:
        seen[0].append(rng.random())
        return lowest(position, rng)

    def wasteful(position: Position, rng: random.Random) -> int:
        for _ in range(READY_BITS):
            rng.random()
        return lowest(position, rng)

    play(thrifty, lowest)
    seen.reverse()
    play(thrifty, wasteful)
    assert seen[0] == seen[1]


def test_each_player_gets_the_position_before_its_own_moves() -> None:
    seen: list[tuple[str, Side, str]] = []

    def watching(name: str) -> Choose:
        def choose(position: Position, rng: random.Random) -> int:
            seen.append((name, position.to_move, str(position)))
            return lowest(position, rng)

        return choose

    play(watching("x"), watching("o"))
    assert seen == [
        ("x", Side.FIRST, "_________"),
        ("o", Side.SECOND, "x________"),
        ("x", Side.FIRST, "xo_______"),
        ("o", Side.SECOND, "xox______"),
        ("x", Side.FIRST, "xoxo_____"),
        ("o", Side.SECOND, "xoxox____"),
        ("x", Side.FIRST, "xoxoxo___"),
    ]


# Answers.


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


class EvilIndex:
    """Whatever is asked of it raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error


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
        (None, "choose returned None: a branch without return?"),
        (-1, "choose returned -1; the legal moves are 0, 1, ..., 8"),
        (9, "choose returned 9; the legal moves are 0, 1, ..., 8"),
        (99, "choose returned 99; the legal moves are 0, 1, ..., 8"),
        ("3", "choose returned '3', which is not an int"),
        (b"3", "returned b'3', which is not an int"),
        (3.0, "returned 3.0, which is not an int"),
        (float("nan"), "returned nan, which"),
        (True, "returned True, which is not an int"),
        (False, "returned False, which"),
        ([3], "returned [3], which"),
        ((3,), "returned (3,), which"),
        ({3: 1}, "returned {3: 1}, which"),
        (3 + 0j, "returned (3+0j), which"),
        (int, "returned <class 'int'>, which"),
        (lowest, "returned <function lowest at"),
        (range(10**9), "returned range(0, 1000000000), which"),
        (EvilIndex(RuntimeError("no")), "which is not an int"),
        (EvilIndex(RecursionError("no")), "which is not an int"),
        (IndexOfText(), "which is not an int"),
        (EvilClass(), "which is not an int"),
        (PretendsToBeInt(), "which is not an int"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_other_answer_forfeits_the_game(answer: object, part: str) -> None:
    record = play(ScriptedPlayer(answer))
    assert record.moves == ()
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (Side.FIRST, "illegal")
    assert part in record.forfeit.message


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


# Exceptions.


class Rude(BaseException):
    """No Exception."""


class Unspeakable(Exception):
    """Its message cannot be read."""

    def __str__(self) -> str:
        raise Rude("no message")


class Tongue(Exception):
    """Its message is not text."""

    def __str__(self) -> str:
        return 3  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad luck"), "ValueError: bad luck"),
        (ValueError(), "ValueError"),
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError("deep"), "RecursionError: deep"),
        (MemoryError(), "MemoryError"),
        (StopIteration(3), "StopIteration: 3"),
        (SystemExit(0), "SystemExit: 0"),
        (GeneratorExit(), "GeneratorExit"),
        (Rude("hm"), "Rude: hm"),
        (Unspeakable(), "Unspeakable: (its message cannot be read)"),
        (Tongue(), "Tongue: (its message cannot be read)"),
        (ValueError("x" * 10**6), "ValueError: " + "x" * MAX_REPEATED_MESSAGE),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_player_that_raises_forfeits_the_game(error: BaseException, message: str) -> None:
    record = play(lowest, ScriptedPlayer(error))
    assert record.moves == (0,)
    assert record.outcome is Outcome.FIRST_WINS
    assert record.forfeit == Forfeit(Side.SECOND, "exception", message)


class Whole(str):
    """A text that cannot be cut."""

    __slots__ = ()

    def __getitem__(self, index: object) -> str:
        return self


class Endless(Exception):
    """Its message cannot be cut."""

    def __str__(self) -> str:
        return Whole("x" * 10**6)


def test_a_message_that_cannot_be_cut_is_cut() -> None:
    record = play(ScriptedPlayer(Endless()))
    assert record.forfeit is not None
    assert len(record.forfeit.message) <= MAX_REPEATED_MESSAGE + len("Endless: ")
    assert type(record.forfeit.message) is str


def test_a_players_traceback_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "arena.match")
    play(ScriptedPlayer(ValueError("bad luck")))
    (record,) = caplog.records
    assert "a player raised ValueError: bad luck" in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)


@pytest.fixture
def interrupts() -> Iterator[Callable[[Any], Any]]:
    """Set what this process does when it is interrupted."""
    before = signal.getsignal(signal.SIGINT)
    yield lambda handler: signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGINT, before)


class _Verdicts:
    """Raises one of arena's own exceptions where it is told to."""

    def __init__(self, error: BaseException, where: str) -> None:
        self.error, self.where = error, where

    def __call__(self) -> _Verdicts:
        return self

    def _raise(self, where: str) -> None:
        if self.where == where:
            raise self.error

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self._raise("start")

    def choose(self, position: Position) -> int:
        self._raise("choose")
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        self._raise("observe")


@pytest.mark.parametrize("where", ["start", "choose", "observe"])
@pytest.mark.parametrize(
    "error", [Spoilt("busy"), Withdrawn("good", "crash", "gone"), Forfeited("budget", "no time")]
)
def test_a_player_in_this_process_is_charged_with_verdicts_of_its_own(
    error: ArenaError, where: str
) -> None:
    bad = PlayerInfo("bad", _Verdicts(error, where), stateless=False)
    pairing = Pairing(TICTACTOE, bad, PlayerInfo("good", lowest), 2, 1)
    for pair in CallsEngine(pairing).pairs(1, 3):
        assert (pair.void, pair.withdrawn) == ("", None)
        for place, record in enumerate(pair.records):
            assert record.forfeit is not None
            assert (record.forfeit.side, record.forfeit.reason) == (place, "exception")
            assert type(error).__name__ in record.forfeit.message


def test_an_interrupt_is_the_users(interrupts: Callable[[Any], Any]) -> None:
    interrupts(signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        play(ScriptedPlayer(KeyboardInterrupt()))


def test_an_interrupt_while_an_answer_is_looked_at_is_the_users(
    interrupts: Callable[[Any], Any],
) -> None:
    interrupts(signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        play(ScriptedPlayer(EvilIndex(KeyboardInterrupt())))


def test_an_interrupt_is_the_players_where_the_signal_is_ignored(
    interrupts: Callable[[Any], Any],
) -> None:
    interrupts(signal.SIG_IGN)
    record = play(ScriptedPlayer(KeyboardInterrupt()))
    assert record.forfeit == Forfeit(Side.FIRST, "exception", "KeyboardInterrupt")


# What a player cannot change.


def meddling(position: MnkPosition, rng: random.Random) -> int:
    """Tries to give itself three in a row, and then moves as ``lowest`` does."""
    attempts: list[Callable[[], object]] = [
        lambda: setattr(position, "first", 7),
        lambda: setattr(position, "second", 7),
        lambda: object.__setattr__(position, "first", 7),
        lambda: position.__dict__.update(first=7),
        lambda: operator.setitem(cast("list[int]", position), 1, 7),
        lambda: operator.setitem(cast("list[int]", position.legal_moves()), 0, 8),
        lambda: position.__init__(position.game, 7, 0),  # type: ignore[misc]
    ]
    for attempt in attempts:
        try:
            attempt()
        except (AttributeError, TypeError):
            continue
    position.play(position.legal_moves()[-1])
    return position.legal_moves()[0]


def test_meddling_with_the_position_changes_nothing() -> None:
    assert play(meddling, meddling) == play(lowest, lowest)
    assert str(TICTACTOE.start()) == "_________"


def test_a_player_that_keeps_its_generator_keeps_its_own(catalogue: Catalogue) -> None:
    """In both games of a pair, so that no player ever draws from its opponent's stream."""
    seen: dict[str, set[int]] = {"a": set(), "b": set()}

    def watching(name: str) -> PlayerInfo:
        def choose(position: Position, rng: random.Random) -> int:
            seen[name].add(id(rng))
            return rng.choice(position.legal_moves())

        return PlayerInfo(name, choose)

    pairing = Pairing(catalogue.game("tictactoe"), watching("a"), watching("b"), 5, 1)
    CallsEngine(pairing).play(1, 6)
    assert len(seen["a"]) == len(seen["b"]) == 1
    assert seen["a"].isdisjoint(seen["b"])


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_a_player_cannot_change_the_rules(catalogue: Catalogue, name: str) -> None:
    game = catalogue.game(name)
    for attribute in ("max_plies", "name", "version", "lines", "anything"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(game.start().game, attribute, 0)
