"""Players that keep state: one instance a game, told everything in order."""

from __future__ import annotations

import logging
import random
import signal
from collections.abc import Callable
from typing import Any

import pytest

from arena.game import Game, Outcome, Position, Side
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.rng import Stream
from tests.match.games import TICTACTOE
from tests.simple import lowest


class Diary:
    """A player that writes down each call, and raises in the one it is told to."""

    def __init__(self, log: list[str], raises_in: str = "", error: BaseException | None = None):
        self.log, self.raises_in = log, raises_in
        self.error = error or RuntimeError("broken")
        self.side = "?"
        self.note("made")

    def note(self, call: str) -> None:
        self.log.append(f"{self.side} {call}")
        if call.split()[0] == self.raises_in:
            raise self.error

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self.side, self.rng = side.letter, rng
        self.note(f"start {game.name}")

    def choose(self, position: Position) -> int:
        self.note(f"choose {position}")
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        self.note(f"observe {move}")

    def finish(self, outcome: Outcome) -> None:
        self.note(f"finish {outcome.value}")


def diary(log: list[str], raises_in: str = "", error: BaseException | None = None) -> PlayerInfo:
    return PlayerInfo("diary", lambda: Diary(log, raises_in, error), stateless=False)


def play(first: PlayerInfo, second: PlayerInfo, game: Game = TICTACTOE) -> GameRecord:
    return play_game(game, (first, second), "g", (Stream(), Stream()))


def test_every_call_comes_in_order() -> None:
    log: list[str] = []
    record = play(diary(log), diary(log), mnk_game(3, 1, 2))
    assert record == GameRecord((0, 1, 2), Outcome.DRAW, None)
    assert log == [
        "? made",
        "x start mnk-3-1-2",
        "? made",
        "o start mnk-3-1-2",
        "x choose ___",
        "o observe 0",
        "o choose x__",
        "x observe 1",
        "x choose xo_",
        "x finish draw",
        "o finish draw",
    ]


def test_every_game_gets_a_new_instance() -> None:
    log: list[str] = []
    player = diary(log)
    for _ in range(3):
        play(player, PlayerInfo("lowest", lowest))
    assert log.count("? made") == log.count("x start tictactoe") == 3


def test_a_class_is_a_factory() -> None:
    class Silent(Diary):
        def __init__(self) -> None:
            super().__init__([])

    assert play(
        PlayerInfo("silent", Silent, stateless=False), PlayerInfo("lowest", lowest)
    ) == play(PlayerInfo("lowest", lowest), PlayerInfo("lowest", lowest))


def test_each_player_is_given_its_own_stream_for_the_whole_game() -> None:
    class Chancy(Diary):
        def choose(self, position: Position) -> int:
            return self.rng.choice(position.legal_moves())

    def chancy(position: Position, rng: random.Random) -> int:
        return rng.choice(position.legal_moves())

    stateful = PlayerInfo("chancy", lambda: Chancy([]), stateless=False)
    stateless = PlayerInfo("chancy", chancy)
    expected = play(stateless, stateless)
    assert play(stateful, stateful) == play(stateful, stateless) == expected
    assert play(stateless, stateful) == expected


@pytest.mark.parametrize(
    ("call", "moves"), [("made", ()), ("start", ()), ("choose", (0,)), ("observe", (0,))]
)
@pytest.mark.parametrize("error", [RuntimeError("broken"), SystemExit("broken")], ids=repr)
def test_the_second_side_forfeits_by_raising_in_any_call(
    call: str, moves: tuple[int, ...], error: BaseException
) -> None:
    record = play(PlayerInfo("lowest", lowest), diary([], call, error))
    message = f"{type(error).__name__}: broken"
    assert record[:2] == (moves, Outcome.FIRST_WINS)
    assert record.forfeit is not None
    assert record.forfeit[:3] == (Side.SECOND, "exception", message)


@pytest.mark.parametrize(
    ("call", "moves"), [("made", ()), ("start", ()), ("choose", ()), ("observe", (0, 1))]
)
def test_the_first_side_forfeits_by_raising_in_any_call(call: str, moves: tuple[int, ...]) -> None:
    record = play(diary([], call), PlayerInfo("lowest", lowest))
    assert record.moves == moves
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    assert record.forfeit[:3] == (Side.FIRST, "exception", "RuntimeError: broken")


@pytest.mark.parametrize("missing", ["start", "choose", "observe", "finish"])
def test_a_player_needs_to_start_and_to_choose_only(missing: str) -> None:
    methods: dict[str, Callable[..., Any]] = {
        "start": lambda self, game, side, rng: None,
        "choose": lambda self, position: position.legal_moves()[0],
        "observe": lambda self, move: None,
        "finish": lambda self, outcome: None,
    }
    del methods[missing]
    player = PlayerInfo("partial", type("Partial", (), methods), stateless=False)
    record = play(PlayerInfo("lowest", lowest), player)
    if missing in ("observe", "finish"):
        assert record.forfeit is None
        return
    assert record.moves == ()
    assert record.forfeit is not None
    assert record.forfeit.side is Side.SECOND
    assert f"no attribute '{missing}'" in record.forfeit.message


@pytest.mark.parametrize("error", [RuntimeError("broken"), SystemExit("broken")], ids=repr)
def test_raising_at_the_end_is_logged_and_changes_nothing(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "arena.match")
    log: list[str] = []
    record = play(diary(log, "finish", error), diary(log, "finish", error))
    assert record.outcome is Outcome.FIRST_WINS
    assert record.forfeit is None
    assert log[-2:] == ["x finish first", "o finish first"]
    assert [f"raised {type(error).__name__}: broken" in line for line in caplog.messages] == [
        True,
        True,
    ]


def test_both_players_hear_of_a_forfeit() -> None:
    log: list[str] = []
    record = play(diary(log), diary(log, "choose"))
    assert record.outcome is Outcome.FIRST_WINS
    assert log[-2:] == ["x finish first", "o finish first"]


def test_an_illegal_move_is_not_observed() -> None:
    log: list[str] = []
    record = play(diary(log), PlayerInfo("illegal", lambda position, rng: 99))
    assert record.forfeit is not None
    assert record.forfeit.reason == "illegal"
    assert not any("observe" in line for line in log)
    assert log[-1] == "x finish first"


@pytest.mark.parametrize("call", ["made", "start", "choose", "observe", "finish"])
def test_an_interrupt_in_any_call_is_the_users(call: str) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(diary([]), diary([], call, KeyboardInterrupt()))
    finally:
        signal.signal(signal.SIGINT, before)
