"""Messages in frames and lines are cut where they end, and mean what was said."""

from __future__ import annotations

import json
import os
from fractions import Fraction

import pytest

from arena.errors import Forfeited
from arena.games.mnk import mnk_game
from arena.player.clocks import Clocks, Reading
from arena.rng import Draw
from arena.sandbox.wire import protocol
from arena.sandbox.wire.frames import frame, read_frames, send
from arena.sandbox.wire.languages import FRAMES, LINES, MAX_MESSAGE_BYTES
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)
POSITION = GAME.parse("xo_______")


def test_a_frame_is_a_length_and_a_number_before_the_message() -> None:
    assert frame(5, b"abc") == b"\3\0\0\0\5\0\0\0abc"
    assert frame(0, b"") == bytes(8)


@pytest.mark.parametrize("piece", [1, 7, 8, 9, 1000])
def test_frames_that_come_in_pieces_are_whole(piece: int) -> None:
    frames = [(1, b"one"), (2, b""), (3, b"three" * 40)]
    content = b"".join(frame(*one) for one in frames)
    read, write = os.pipe()
    results = []
    reader = read_frames(read)
    for start in range(0, len(content), piece):
        send(write, content[start : start + piece])
    os.write(write, b"\1\0\0")  # the start of one that never ends
    os.close(write)
    results = list(reader)
    os.close(read)
    assert results == frames


def test_a_message_is_written_whole_where_there_is_little_room() -> None:
    written: list[bytes] = []

    def some(descriptor: int, message: bytes) -> int:
        written.append(message[:3])
        return len(written[-1])

    send(7, b"a message", write=some)
    assert written == [b"a m", b"ess", b"age"]


def test_a_frame_is_taken_as_soon_as_it_is_whole() -> None:
    whole, next_one = frame(3, b"mtext"), frame(4, b"")
    for size in range(len(whole)):
        unread = bytearray(whole[:size])
        assert FRAMES.cut(unread) is None
        assert unread == whole[:size]
    unread = bytearray(whole + next_one)
    assert (FRAMES.cut(unread), FRAMES.cut(unread), FRAMES.cut(unread)) == (whole, next_one, None)
    assert unread == b""


def test_a_frame_has_a_largest_length(wording: Wording) -> None:
    assert MAX_MESSAGE_BYTES == 65536
    largest = frame(1, bytes(MAX_MESSAGE_BYTES))
    assert FRAMES.cut(bytearray(largest)) == largest
    with wording.raises(Forfeited):
        FRAMES.cut(bytearray(frame(1, bytes(MAX_MESSAGE_BYTES + 1))[:8]))


def test_a_line_is_taken_as_soon_as_it_ends() -> None:
    unread = bytearray(b"\none\r\n\r\ntwo")
    assert [LINES.cut(unread) for _ in range(4)] == [b"", b"one", b"", None]
    assert unread == b"two"


def test_a_line_has_a_largest_length_without_its_end(wording: Wording) -> None:
    largest = b"x" * MAX_MESSAGE_BYTES
    assert LINES.cut(bytearray(largest)) is None
    assert LINES.cut(bytearray(largest + b"\n")) == largest
    unread = bytearray(b"\n" + largest + b"x")
    assert LINES.cut(unread) == b"", "an empty line is before it"
    for end in (b"", b"\n"):
        with wording.raises(Forfeited, match="65536"):
            LINES.cut(bytearray(largest + b"x" + end))


def test_a_move_is_asked_for_by_the_position_or_with_the_time() -> None:
    assert FRAMES.move(3, POSITION) == frame(3, b"mxo_______")
    clocks = Clocks(Reading(1.5, 60.0))
    message = FRAMES.move(3, POSITION, clocks)
    assert message[8:] == json.dumps(protocol.move(3, POSITION, clocks)).encode()
    assert message[:8] == frame(3, message[8:])[:8]


def test_the_number_of_a_message_is_its_id() -> None:
    assert FRAMES.tell({"id": 9}) == frame(9, b'{"id": 9}')
    assert FRAMES.tell({"type": "finish"})[4:8] == bytes(4)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"m4", {"move": "4", "draws": ""}),
        (b"m4\x00[9, -3]", {"move": "4", "draws": "[9, -3]"}),
        (b"m\xff", {"move": "\\xff", "draws": ""}),
        (b'{"moves": [4]}', {"moves": [4]}),
    ],
)
def test_an_answer_is_a_move_or_an_object(said: bytes, answer: object, wording: Wording) -> None:
    assert FRAMES.answer(frame(3, said), 3) == answer
    with wording.raises(Forfeited, match="'3'"):
        FRAMES.answer(frame(3, said), 4)


@pytest.mark.parametrize(
    "draws",
    [
        [],
        [9, -53, 2],
        ["it draws a float"],
        [3, (Fraction(1, 3), Fraction(2, 3)), "it seeds the generator it is given"],
        [100] * 60,
    ],
)
def test_draws_are_read_as_they_were_written(draws: list[Draw]) -> None:
    text = protocol.draws_text(draws)
    assert json.loads(text) is not None
    assert protocol.read_draws({"draws": text}) == draws
    assert protocol.read_draws({}) == []


@pytest.mark.parametrize("text", ["x", "[1.5]", "[true]", "[null]", '[["1/0"]]', "[[1]]", "3"])
def test_draws_of_another_form_are_refused(text: str, wording: Wording) -> None:
    with wording.raises(Forfeited):
        protocol.read_draws({"draws": text})


def test_a_player_that_admits_a_fault_may_say_more(wording: Wording) -> None:
    known = ["exception", "E: x", "bot.py:3", "repair it", "frame\n", "barred"]
    with pytest.raises(Forfeited, match="E: x") as caught:
        protocol.admitted({"error": known, "draws": "[5]", "seen": {"output": ["opened", "start"]}})
    error = caught.value
    assert (error.reason, error.where, error.remedy) == ("exception", "bot.py:3", "repair it")
    assert (error.frames, error.barred) == ("frame\n", "barred")
    assert (error.draws, error.seen) == ([5], {"output": ("opened", "start")})
    for size in (1, 3, 4, 5):
        with wording.raises(Forfeited):
            protocol.admitted({"error": known[:size]})


def test_the_key_that_is_there_twice_is_named(wording: Wording) -> None:
    with wording.raises(Forfeited, match="'b'"):
        protocol.read_object(b'{"a": 1, "b": 2, "b": 3}')
