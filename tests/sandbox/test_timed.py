"""Clocks of isolated players, with a process that only pretends to think."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import clock
from arena.errors import Forfeited, VoidGame
from arena.game import Side
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.match.record import UNMEASURED, GameRecord
from arena.player import PlayerInfo
from arena.player.clocks import TimeControl, read_control
from arena.rng import Stream
from arena.sandbox.choice import TIERS
from arena.sandbox.fairness import CpuUsage, TurnUsage
from arena.sandbox.process import PlayerProcess, _require_processor
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Isolation, Spec
from arena.sandbox.wire.channel import Log
from arena.sandbox.wire.json_lines import JsonLines
from arena.testing import FakeClock

GAME = mnk_game(3, 3, 3)


class Channel:
    """The log of a process that prints nothing."""

    def __init__(self) -> None:
        self.log = Log()


class Thinker:
    """A program of which every answer takes a time, in seconds, of which it waits a part.

    It makes the first legal move. It is the process and what is said to it in one.
    """

    is_told_time, never_began, grows, spent, last = True, False, False, 0.0, ""

    def __init__(self, fake: FakeClock, takes: float, waits: float, starts: float) -> None:
        self._fake, self._takes, self._waits, self._starts = fake, takes, waits, starts
        self._waited = self._computed = 0.0
        self._turns = TurnUsage(lambda: CpuUsage(self._waited, self._computed))
        self.has_answered = not starts
        self.channel, self.tier = Channel(), TIERS["process"]
        self.client, self.talk = JsonLines({}), self
        self.asked: list[dict[str, Any]] = []

    def end(self) -> str:
        """End without a word."""
        return ""

    def require_silence(self) -> None:
        """Be silent."""

    def take(self) -> None:
        """Have no thoughts."""

    def say(self, line: str) -> None:
        """Keep the questions."""
        if (message := json.loads(line))["type"] == "move":
            self.asked.append(message)

    def hear(self) -> str:
        """Answer once the time is over; Forfeited if that is too late."""
        seconds = self._takes + (0 if self.has_answered else self._starts)
        self._fake.advance(seconds)
        self._waited += self._waits
        self._computed += seconds - self._waits
        if self._turns.deadline() < clock.now():
            raise Forfeited("timeout", "late")
        return json.dumps({"id": self.asked[-1]["id"], "move": self.asked[-1]["legal"][0]})

    def converse(self, turn: Callable[[], int], limit: float) -> tuple[int, float]:
        """Do as a PlayerProcess does."""
        self._turns.begin(limit)
        try:
            result = turn()
        except Forfeited:
            _require_processor(self._turns)
            raise Forfeited("timeout", f"no answer within {limit:g} s") from None
        self.has_answered = True
        return result, self._turns.end(clock.now())


class ThinkersRemote(Remote):
    """Hands out the one process that it has."""

    def __init__(self, thinker: Thinker, **limits: Any) -> None:
        super().__init__(Spec("cmd:x", argv=("x",)), Isolation(**limits).resolved())
        self.thinker = thinker

    def take(self, fresh: bool = True) -> PlayerProcess:
        """Return it."""
        return cast("PlayerProcess", self.thinker)


def thinker(
    fake: FakeClock, takes: float, waits: float = 0, starts: float = 0, **limits: Any
) -> PlayerInfo:
    remote = ThinkersRemote(Thinker(fake, takes, waits, starts), **limits)
    return PlayerInfo(f"{takes}", remote, stateless=False, remote=remote)


def asked(player: PlayerInfo) -> list[dict[str, Any]]:
    assert isinstance(player.remote, ThinkersRemote)
    return player.remote.thinker.asked


def play(first: PlayerInfo, second: PlayerInfo) -> GameRecord:
    return play_game(GAME, (first, second), "x", (Stream(), Stream()))


@pytest.fixture
def fake() -> Iterator[FakeClock]:
    with FakeClock() as clock:
        yield clock


def in_process(position: Any, rng: Any) -> int:
    return int(position.legal_moves()[0])


LOCAL = PlayerInfo("local", in_process)


def test_each_side_has_a_clock_that_its_own_moves_use_up(fake: FakeClock) -> None:
    first, second = thinker(fake, 1, clock="60+0.5"), thinker(fake, 2, clock="2/5")
    record = play(first, second)
    assert record.forfeit is None
    assert record.move_times == ((1.0,) * 4, (2.0,) * 3)
    own = [question["clock"] for question in asked(first)]
    assert [clocks["own"]["remaining"] for clocks in own] == [60, 59.5, 59, 58.5]
    assert [clocks["opponent"] for clocks in own] == [
        {"remaining": remaining, "increment": 0, "moves_to_go": to_go}
        for remaining, to_go in ((5, 2), (3, 1), (6, 2), (4, 1))
    ]
    assert [question["seconds"] for question in asked(second)] == [5, 3, 6]


def test_who_has_no_time_left_forfeits(fake: FakeClock) -> None:
    record = play(thinker(fake, 1, clock="2.5"), LOCAL)
    assert record.forfeit is not None
    assert record.forfeit[:2] == (Side.FIRST, "timeout")
    assert re.search(r" 0\.5 s; .* 2\.5 .* 0\.5 s", record.forfeit.message)
    assert record.move_times == ((1.0, 1.0), ())
    assert len(record.moves) == 4


def test_a_margin_forgives_a_move_that_is_a_little_late(fake: FakeClock) -> None:
    player = thinker(fake, 1, clock="2.5+0.2", time_margin=0.4)
    record = play(player, LOCAL)
    remaining = [question["clock"]["own"]["remaining"] for question in asked(player)]
    assert remaining == [2.5, 1.7, 0.9, 0.2]  # the third move took all that was there
    assert record.forfeit is not None
    assert (record.forfeit.reason, len(record.move_times[0])) == ("timeout", 3)
    assert play(thinker(fake, 1, move_time=0.6, time_margin=0.4), LOCAL).forfeit is None
    assert play(thinker(fake, 1, move_time=0.5, time_margin=0.4), LOCAL).forfeit is not None


@pytest.mark.slow
@given(
    st.integers(1, 40).map(lambda tenths: tenths / 10),
    st.builds(TimeControl, st.integers(1, 9), st.integers(0, 3), st.integers(0, 3)),
)
def test_a_game_is_lost_at_the_move_for_which_the_time_given_does_not_last(
    takes: float, control: TimeControl
) -> None:
    with FakeClock() as fake:
        record = play(thinker(fake, takes, clock=str(control)), LOCAL)
    banks = [1 + (move // control.moves if control.moves else 0) for move in range(4)]
    given_before = [banks[move] * control.base + move * control.increment for move in range(4)]
    late = [move for move in range(4) if (move + 1) * takes > given_before[move] + 1e-9]
    made = late[0] if late else 4
    assert (len(record.move_times[0]), record.forfeit is not None) == (made, bool(late))


def test_waiting_for_a_processor_is_not_charged(fake: FakeClock) -> None:
    record = play(thinker(fake, 1, waits=0.9, clock="1"), LOCAL)
    assert record.forfeit is None
    assert record.move_times[0] == pytest.approx((0.1,) * 4)


def test_a_game_that_the_machine_spoils_is_void_and_no_forfeit(fake: FakeClock) -> None:
    with pytest.raises(VoidGame):
        play(thinker(fake, 4, waits=3.9, clock="1"), LOCAL)


def test_the_start_of_a_program_is_not_charged(fake: FakeClock) -> None:
    player = thinker(fake, 0, starts=9, clock="0.5", import_time=10)
    record = play(player, LOCAL)
    assert record.forfeit is None
    assert record.move_times[0] == (None, 0.0, 0.0, 0.0)
    assert {question["seconds"] for question in asked(player)} == {0.5}


def test_what_a_start_takes_beyond_its_own_limit_is_charged(fake: FakeClock) -> None:
    player = thinker(fake, 0, starts=10.3, clock="0.5", import_time=10)
    assert play(player, LOCAL).forfeit is None
    remaining = [question["clock"]["own"]["remaining"] for question in asked(player)]
    assert remaining == [0.5, 0.2, 0.2, 0.2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "reason", "moves"),
    [
        ({"clock": "2.5"}, "timeout", 2),
        ({"clock": "2.5", "move_time": 0.9}, "timeout", 0),
        ({"clock": "2.5", "game_time": 1.5}, "budget", 1),
        ({"clock": "600"}, "", 4),
        ({"clock": "2.5+9", "game_time": 3.5}, "budget", 3),
    ],
)
def test_a_clock_and_other_limits_hold_together(
    fake: FakeClock, limits: dict[str, Any], reason: str, moves: int
) -> None:
    record = play(thinker(fake, 1, **limits), LOCAL)
    assert len(record.move_times[0]) == moves
    assert (record.forfeit.reason if record.forfeit else "") == reason


def test_a_game_begins_with_a_full_clock(fake: FakeClock) -> None:
    player = thinker(fake, 1, clock="4.5")
    assert [play(player, LOCAL).forfeit for _ in range(3)] == [None] * 3
    assert [question["clock"]["own"]["remaining"] for question in asked(player)[::4]] == [4.5] * 3


def test_a_player_without_a_clock_is_told_nothing_of_one(fake: FakeClock) -> None:
    plain, other = thinker(fake, 0.1), thinker(fake, 0.1, clock="60")
    record = play(plain, other)
    assert not any("clock" in question for question in asked(plain))
    assert {question["clock"]["opponent"] for question in asked(other)} == {None}
    assert record.move_times == ((), (0.1,) * 3)


@pytest.mark.parametrize(
    ("limits", "is_measured"),
    [({}, False), ({"memory": 64}, False), ({"move_time": 5}, True), ({"game_time": 5}, True)],
)
def test_moves_are_measured_where_the_user_limits_their_time(
    fake: FakeClock, limits: dict[str, Any], is_measured: bool
) -> None:
    record = play(thinker(fake, 0.1, **limits), LOCAL)
    assert record.move_times == (((0.1,) * 4, ()) if is_measured else UNMEASURED)


def test_a_clock_takes_the_place_of_the_usual_limits_of_time() -> None:
    limits = Isolation(clock="60+0.5").resolved()
    assert min(limits.move_time, limits.game_time) > 100_000
    assert limits.unusual() == {"clock": "60+0.5"}
    assert Isolation.from_limits(dict(limits.as_pairs())).resolved() == limits
    assert Isolation.from_limits({"clock": "60+0.5"}).resolved() == limits
    assert limits.control == read_control("60+0.5")
