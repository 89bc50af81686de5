"""What a player may raise, and whose an interrupt is."""

from __future__ import annotations

import logging
import random
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.errors import MAX_REPEATED_MESSAGE, ArenaError, Forfeited, VoidGame, Withdrawn
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.game import Game, Outcome, Position, Side
from arena.match import play_game
from arena.match.record import Forfeit
from arena.player import PlayerInfo
from arena.rng import Stream
from arena.testing import ScriptedPlayer
from tests.errors import Rude, Unspeakable
from tests.golden import Wording
from tests.match.games import TICTACTOE, EvilIndex, play
from tests.simple import lowest


class Tongue(Exception):
    """Its message is not text."""

    def __str__(self) -> str:
        return 3  # type: ignore[return-value]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad luck"),
        ValueError(),
        KeyError("x"),
        RecursionError("deep"),
        MemoryError(),
        StopIteration(3),
        SystemExit(0),
        GeneratorExit(),
        Rude("hm"),
        Unspeakable(),
        Tongue(),
        ValueError("x" * 10**6),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_player_that_raises_forfeits_the_game(error: BaseException, wording: Wording) -> None:
    record = play(lowest, ScriptedPlayer(error))
    assert record.moves == (0,)
    assert record.outcome is Outcome.FIRST_WINS
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (Side.SECOND, "exception")
    wording(record.forfeit.message)


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


def test_a_players_traceback_is_logged(caplog: pytest.LogCaptureFixture, wording: Wording) -> None:
    caplog.set_level(logging.INFO, "arena.match")
    play(ScriptedPlayer(ValueError("bad luck")))
    (record,) = caplog.records
    wording(record.getMessage(), "ValueError")
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
    assert vars(record)["fault"] == "ValueError: bad luck", "it is not raised in the player's code"


def test_a_log_names_where_the_player_raised(caplog: pytest.LogCaptureFixture) -> None:
    def raising(position: Position, rng: random.Random) -> int:
        raise ValueError("bad luck")

    caplog.set_level(logging.INFO, "arena.match")
    result = play(raising).forfeit
    assert result is not None
    (record,) = caplog.records
    assert result.where
    assert vars(record)["fault"] == result.where


class Hidden(Exception):
    """Its traceback cannot be read."""

    @property
    def __traceback__(self) -> Any:  # type: ignore[override]
        raise OSError("no traceback")


def test_an_exception_whose_traceback_cannot_be_logged_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "arena.match")
    record = play(ScriptedPlayer(Hidden("odd")))
    assert record.forfeit is not None
    [message] = caplog.messages
    assert message.endswith(f" {record.forfeit.message}")


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
    "error", [VoidGame("busy"), Withdrawn("good", "crash", "gone"), Forfeited("budget", "no time")]
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


class _Proxies(_Verdicts):
    """Makes a player that raises as the proxy of a process of its own does."""

    remembers, shares_core = "", False

    def __call__(self, *how: bool, **named: bool) -> Any:
        return self

    def close(self) -> None:
        pass


def isolated(name: str, error: BaseException, where: str) -> PlayerInfo:
    """Return a player that plays in a process of its own, as far as a game knows."""
    return PlayerInfo(name, lowest, stateless=False, remote=_Proxies(error, where))


@pytest.mark.parametrize("where", ["start", "choose", "observe"])
@pytest.mark.parametrize("error", [VoidGame("busy"), Withdrawn("bad", "crash", "gone")])
@pytest.mark.parametrize("side", Side)
def test_a_player_is_charged_with_verdicts_of_its_own_against_an_isolated_opponent(
    error: ArenaError, where: str, side: Side
) -> None:
    bad = PlayerInfo("bad", _Verdicts(error, where), stateless=False)
    players = [bad, isolated("good", error, "nowhere")]
    record = play_game(TICTACTOE, pair_of(players, side), "g", (Stream(), Stream()))
    assert record.forfeit is not None
    assert record.forfeit[:2] == (side, "exception")
    assert record.outcome.winner is side.other


@pytest.mark.parametrize("where", ["start", "choose", "observe"])
@pytest.mark.parametrize("error", [VoidGame("busy"), Withdrawn("away", "crash", "gone")])
@pytest.mark.parametrize("side", Side)
def test_arenas_verdicts_on_an_isolated_player_are_raised(
    error: ArenaError, where: str, side: Side
) -> None:
    players = [isolated("away", error, where), PlayerInfo("good", lowest)]
    with pytest.raises(type(error)) as caught:
        play_game(TICTACTOE, pair_of(players, side), "g", (Stream(), Stream()))
    assert caught.value is error


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("where", ["start", "choose", "observe"])
def test_an_isolated_player_forfeits_for_the_reason_that_arena_gives(
    where: str, side: Side
) -> None:
    players = [isolated("slow", Forfeited("budget", "no time"), where), PlayerInfo("good", lowest)]
    record = play_game(TICTACTOE, pair_of(players, side), "g", (Stream(), Stream()))
    assert record.forfeit == Forfeit(side, "budget", "no time")


def pair_of(players: list[PlayerInfo], side: Side) -> tuple[PlayerInfo, PlayerInfo]:
    """Return both players, with the first of them at this side."""
    return (players[side], players[1 - side])


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
