"""Gomoku engines: the client line by line, and an engine of our own that misbehaves."""

import shlex
from pathlib import Path

import pytest

import arena
from arena.errors import Forfeited, UsageError
from arena.game import Side
from arena.plugins.gomocup import Gomocup
from arena.testing import ScriptedTalk, turn_at
from tests.golden import Wording
from tests.needs import python_of_all
from tests.processes import command_lines

ENGINE = Path(__file__).parent / "engines" / "gomocup.py"
GAME = arena.get_game("mnk-6-5-4")


def test_the_first_player_begins_and_hears_the_answers() -> None:
    client = Gomocup({})
    client.begin(ScriptedTalk(), GAME, Side.FIRST, 1)
    talk = ScriptedTalk("OK", "MESSAGE hello", "DEBUG x", "2,3")
    assert client.choose(talk, turn_at(GAME.start())) == 20
    setting = ["INFO rule 0", "INFO game_type 1", "INFO timeout_turn 2000"]
    assert talk.said == ["RECTSTART 6,5", *setting, "BEGIN"]
    talk = ScriptedTalk("0,0")
    assert client.choose(talk, turn_at(GAME.start(), 20, 7, seconds=0.5)) == 0
    assert talk.said == ["INFO timeout_turn 500", "TURN 1,1"]


def test_a_position_is_shown_stone_by_stone() -> None:
    talk = ScriptedTalk("OK", "5,4")
    start = GAME.start().play(0).play(8)
    assert Gomocup({}).choose(talk, turn_at(start, 14)) == 29
    assert talk.said[-5:] == ["BOARD", "0,0,2", "2,1,1", "2,2,2", "DONE"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["ERROR unsupported size"], "protocol"),
        (["OK", "nonsense"], "protocol"),
        (["OK", "6,0"], "illegal"),
        (["OK", "-1,0"], "protocol"),
        (["OK", "\x1b[2J"], "protocol"),
    ],
)
def test_an_answer_that_is_not_a_move(lines: list[str], reason: str) -> None:
    with pytest.raises(Forfeited) as caught:
        Gomocup({}).choose(ScriptedTalk(*lines), turn_at(GAME.start()))
    assert caught.value.reason == reason
    assert caught.value.problem.isprintable()


def test_there_are_no_options(wording: Wording) -> None:
    with wording.raises(UsageError, match="'rule'"):
        Gomocup({"rule": "1"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "forfeits"),
    [
        ("", set()),
        ("hang", {"timeout"}),
        ("illegal", {"illegal"}),
        ("outside", {"illegal"}),
        ("garbage", {"protocol"}),
        ("size", {"protocol"}),
    ],
)
def test_an_engine_that_misbehaves_is_charged(fault: str, forfeits: set[str]) -> None:
    name = f"gomocup:{shlex.join([python_of_all(), str(ENGINE), fault])}"
    result = arena.fight(
        name,
        "monkey",
        2,
        game="mnk-15-15-5",
        seed=4,
        isolation=arena.Isolation(tier="process", move_time=1.5 if fault == "hang" else 60),
    )
    assert set(result.a.forfeits) == forfeits
    assert not command_lines(str(ENGINE))
