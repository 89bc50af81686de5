"""A client's talk with its program: lines go with the next question, and an answer is heard."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import pytest

from arena.errors import Forfeited
from arena.game import Outcome, Side
from arena.games.mnk import mnk_game
from arena.records.thoughts import Thought
from arena.sandbox.wire.channel import Channel, ChannelTalk
from arena.sandbox.wire.json_lines import JsonLines
from arena.testing import turn_at
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)


class Script:
    """A channel that answers from a list, and notes all that is said."""

    def __init__(self, *answers: bytes) -> None:
        self.said: list[Any] = []
        self.answers = list(answers)

    def tell(self, message: bytes) -> None:
        self.said.append(message)

    def require_silence(self) -> None:
        self.said.append("silence")

    def read(self, deadline: Callable[[], float]) -> bytes:
        self.said.append(deadline())
        return self.answers.pop(0)


def talk(script: Script) -> ChannelTalk:
    return ChannelTalk(cast("Channel", script), lambda: 7.5)


def test_lines_are_said_with_their_ends() -> None:
    script = Script()
    talk(script).say("one", "zwö")
    talk(script).say()
    assert script.said == ["one\nzwö\n".encode(), b""]


def test_the_last_lines_that_were_heard_are_known() -> None:
    heard = talk(Script(b"1", b"2\xff", b"3", b"4"))
    assert heard.last == ""
    assert [heard.hear() for _ in range(4)] == ["1", "2\udcff", "3", "4"]
    assert heard.last == "'2\\udcff', '3', '4'"


def test_a_thought_is_taken_once() -> None:
    one = talk(Script())
    one.note(Thought(12))
    assert (one.take(), one.take()) == (Thought(12), None)


def test_a_program_is_asked_in_order_and_each_question_has_a_number() -> None:
    script = Script(b'{"id": 1, "move": "3"}', b'{"id": 2, "move": "4"}', b'{"id": 1, "move": "5"}')
    client, lines = JsonLines({}), talk(script)
    turn = turn_at(GAME.start(), seconds=1.0)
    client.begin(lines, GAME, Side.SECOND, 9)
    assert [client.choose(lines, turn), client.choose(lines, turn)] == [2, 3]
    client.observe(lines, GAME, 8)
    client.finish(lines, Outcome.DRAW)
    client.begin(lines, GAME, Side.FIRST, 9)
    assert client.choose(lines, turn) == 4
    messages = [json.loads(one) if isinstance(one, bytes) else one for one in script.said]
    kinds = [one["type"] if isinstance(one, dict) else one for one in messages]
    expected = ["silence", "move", 7.5]
    assert kinds == ["start", *expected, *expected, "observe", "finish", "start", *expected]
    started = {"side": "second", "seat": 1, "seats": 2, "seed": 9}
    assert messages[0] == {"type": "start", "protocol": 2, "game": "tictactoe", **started}
    assert [one["id"] for one in messages if isinstance(one, dict) and "id" in one] == [1, 2, 1]


@pytest.mark.parametrize(
    "said",
    [
        b'{"id": 2, "move": "3"}',
        b'{"id": 1, "error": ["exception", "E: x"]}',
        b"\xff",
    ],
)
def test_another_answer_of_a_program_is_refused(said: bytes, wording: Wording) -> None:
    with wording.raises(Forfeited):
        JsonLines({}).choose(talk(Script(said)), turn_at(GAME.start(), seconds=1.0))
