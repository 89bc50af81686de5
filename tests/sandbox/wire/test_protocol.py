"""What a player's process writes, read: a move, or a reason why there is none, and nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.errors import CannotEnumerate, Forfeited, one_line
from arena.game import Game, Outcome, Side
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.sandbox.wire import json_lines, protocol
from arena.sandbox.wire.frames import frame
from arena.sandbox.wire.languages import FRAMES, MAX_MESSAGE_BYTES
from arena.testing import turn_at
from tests.golden import Wording

GAMES = [load_catalogue().game(name) for name in ("tictactoe", "connect4", "mnk-4-3-3")]
GAME = GAMES[0]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
MOVES = st.sampled_from(["1", "5", "9", "0", "-1", "10", "٣", "3.0", " 3", "1e0", "\x1b[2J"])
ANSWERS = st.fixed_dictionaries(
    {"id": st.sampled_from([1, 1, 1, 1.0, True, "1", 2, None]) | JSON},
    optional={
        "move": MOVES | JSON,
        "moves": st.dictionaries(MOVES, st.sampled_from(["1/3", "1", "1/0", "-1", "1e9"]) | JSON),
        "refused": JSON,
        "error": JSON | st.tuples(st.sampled_from(["exception", "illegal", "x"]), JSON),
    },
)
SAID = (
    st.binary(max_size=80)
    | JSON.map(lambda value: json.dumps(value).encode())
    | ANSWERS.map(lambda value: json.dumps(value).encode())
    | ANSWERS.map(lambda value: json.dumps(value, ensure_ascii=False).encode(errors="ignore"))
)


def answer(line: bytes, number: int) -> protocol.Message:
    return protocol.admitted(protocol.numbered(protocol.read_object(line), number))


def read_move(line: bytes, number: int, game: Game) -> int:
    return protocol.read_move(answer(line, number), game)


def read_distribution(line: bytes, number: int, game: Game) -> dict[int, Fraction]:
    return protocol.read_distribution(answer(line, number), game)


def read_framed(said: bytes, number: int, game: Game) -> int:
    return protocol.read_move(FRAMES.answer(frame(number, said), number), game)


READERS = (read_move, read_distribution, read_framed)


def is_fit_to_be_shown(message: str) -> bool:
    return message.isprintable() and 0 < len(message) < 1500


@pytest.mark.slow
@given(SAID | SAID.map(b"m".__add__), st.sampled_from(GAMES))
@example(b'{"id": 1, "refused": "\\u001b[2J"}', GAME)
@example(b'{"id": 1, "moves": {"1": "1e999999999"}}', GAME)
@example(b'{"id": 1, "move": "1", "move": "2"}', GAME)
def test_any_line_is_a_move_or_a_reason_for_none(line: bytes, game: Game) -> None:
    refusals: list[Forfeited | CannotEnumerate] = []
    for read in READERS:
        try:
            result: Any = read(line, 1, game)
        except (Forfeited, CannotEnumerate) as error:
            refusals.append(error)
        else:
            moves = [result] if isinstance(result, int) else list(result)
            assert [game.parse_move(game.format_move(move)) for move in moves] == moves
            assert all(type(move) is int for move in moves)
    for refusal in refusals:
        if isinstance(refusal, Forfeited):
            assert refusal.reason in ("illegal", "protocol", "exception")
        assert str(refusal).isprintable()
        assert len(str(refusal)) < 1500


@pytest.mark.slow
@pytest.mark.parametrize(("text", "end"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("key", ["id", "error", "move", "moves"])
def test_what_is_nested_is_refused_at_every_depth(text: str, end: str, key: str) -> None:
    inside = "" if text == "[" else "1"
    before = "{" + ("" if key == "id" else '"id": 1, ') + f'"{key}": '
    for levels in (*range(800, 1010), 5000, 10_000):
        line = (before + text * levels + inside + end * levels + "}").encode()
        for read in READERS:
            with pytest.raises(Forfeited) as caught:
                read(line, 1, GAME)
            assert caught.value.reason == "protocol"
            assert is_fit_to_be_shown(str(caught.value))


def filled(before: bytes, unit: bytes, after: bytes) -> bytes:
    return before + unit * ((MAX_MESSAGE_BYTES - len(before) - len(after)) // len(unit)) + after


WORST: dict[str, bytes] = {
    "brackets": filled(b"", b"[", b""),
    "objects": filled(b"", b'{"":', b""),
    "digits": filled(b'{"id": ', b"9", b"}"),
    "float of digits": filled(b'{"id": 1.', b"9", b"}"),
    "text of escapes": filled(b'{"id": 1, "move": "', b"\\u001b", b'"}'),
    "text of surrogates": filled(b'{"id": 1, "move": "', b"\\ud800", b'"}'),
    "text of no utf-8": filled(b'{"id": 1, "move": "', b"\xff", b'"}'),
    "keys": b'{"id": 1' + b"".join(b',"%d":0' % n for n in range(6000)) + b"}",
    "wrong id": filled(b'{"id": "', b"\x7f", b'"}'),
    "error": filled(b'{"id": 1, "error": ["exception", "', b"\\u001b", b'"]}'),
    "long fraction": filled(b'{"id": 1, "moves": {"1": "', b"9", b'"}}'),
    "great exponent": b'{"id": 1, "moves": {"1": "1e99999999"}}',
    "small exponent": b'{"id": 1, "moves": {"1": 1e-308, "2": "1e-99999999"}}',
    "blanks": filled(b"", b" ", b""),
    "nul": filled(b"", b"\0", b""),
}


@pytest.mark.parametrize("line", WORST.values(), ids=WORST)
@pytest.mark.parametrize("read", READERS)
def test_the_worst_of_lines_is_refused_at_once(line: bytes, read: Callable[..., Any]) -> None:
    seconds = []
    for _ in range(5):  # the machine may be busy with something else
        begun = time.process_time()
        with pytest.raises(Forfeited) as caught:
            read(line, 1, GAME)
        seconds.append(time.process_time() - begun)
        assert is_fit_to_be_shown(str(caught.value))
    assert min(seconds) < 0.1  # some milliseconds; what grows with the square would take seconds


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": 3, "move": "4"}', ""),
        (b'\t{"move" : "4", "id": 3, "more": [1]} \r', ""),
        (b'{"id": 2, "move": "4"}', "protocol"),
        (b'{"id": true, "move": "4"}', "protocol"),
        (b'{"id": "3", "move": "4"}', "protocol"),
        (b'{"move": "4"}', "protocol"),
        (b'{"id": 3, "move": 4}', "protocol"),
        (b'{"id": 3, "move": null}', "protocol"),
        (b'{"id": 3, "move": NaN}', "protocol"),
        (b'{"id": 3, "move": -Infinity}', "protocol"),
        (b'{"id": 3, "move": "4"}{"id": 4, "move": "5"}', "protocol"),
        (b'[3, "4"]', "protocol"),
        (b"", "protocol"),
        (b"ready!", "protocol"),
        (b'\xef\xbb\xbf{"id": 3, "move": "4"}', "protocol"),
        (b'{"id": 3, "move": "10"}', "illegal"),
        (b'{"id": 3, "move": "0"}', "illegal"),
        (b'{"id": 3, "move": "-1"}', "illegal"),
        (b'{"id": 3, "move": "\\u0663"}', "illegal"),
        (b'{"id": 3, "error": ["exception", "E: x"], "move": "4"}', "exception"),
        (b'{"id": 3, "error": ["timeout", "x"]}', "protocol"),
        (b'{"id": 3, "error": ["exception", 1]}', "protocol"),
        (b'{"id": 3, "error": null, "move": "4"}', "protocol"),
    ],
)
def test_an_answer_is_a_move_in_the_games_notation(
    line: bytes, reason: str, wording: Wording
) -> None:
    if not reason:
        assert read_move(line, 3, GAME) == 3
        return
    with wording.raises(Forfeited) as caught:
        read_move(line, 3, GAME)
    assert caught.value.reason == reason


def test_what_a_terminal_obeys_is_made_visible() -> None:
    evil = "\x1b[2J\x1b]0;title\x07\u202e\u2028\x9b1m\ud800\x00end\nsecond line"
    line = json.dumps({"id": 1, "error": ["exception", evil]}).encode()
    with pytest.raises(Forfeited) as caught:
        read_move(line, 1, GAME)
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith(r"\x1b[2J\x1b]0;title\x07\u202e\u2028\x9b1m\ud800\x00end")
    assert "second" not in str(caught.value)
    assert one_line("é" * 1000) == "é" * 200
    assert protocol.text({"summary": "\x1b[2J"}, "summary") == r"\x1b[2J"
    assert protocol.text({"summary": [[]]}, "summary") == ""


def test_probabilities_are_fractions(wording: Wording) -> None:
    line = b'{"id": 1, "moves": {"1": "1/3", "9": "2/3"}}'
    assert read_distribution(line, 1, GAME) == {0: Fraction(1, 3), 8: Fraction(2, 3)}
    for chance in ('"1/0"', "0.5", "true", '"nan"', '"1e5"', '" 1"', '"1_0"', "[1]", '"½"'):
        with pytest.raises(Forfeited, match="answered"):
            read_distribution(b'{"id":1,"moves":{"1":%s}}' % chance.encode(), 1, GAME)
    with wording.raises(CannotEnumerate):
        read_distribution(b'{"id": 1, "refused": "draws a float"}', 1, GAME)


def test_what_the_arena_says_is_one_line_of_ascii(catalogue: Catalogue) -> None:
    position = GAME.parse("xo_______")
    messages = [
        json_lines.start(GAME, Side.FIRST, (1 << 256) - 1),
        protocol.start(GAME, Side.FIRST, 1 << 60),
        json_lines.move(3, turn_at(position, seconds=0.25001)),
        protocol.observe(GAME, 4),
        protocol.finish(Outcome.DRAW),
        protocol.distribution(1, position),
        {"summary": "é\u2028\n"},
    ]
    for message in messages:
        line = json_lines.line(message)
        assert line.isascii()
        assert "\n" not in line
        assert json.loads(line) == dict(message)
    assert messages[0]["seed"] < 1 << 53
    assert "stream" not in messages[0]
    assert "seed" not in messages[1]
    assert {**messages[2], "legal": []} == {
        "type": "move",
        "id": 3,
        "position": "xo_______",
        "legal": [],
        "seconds": 0.25,
    }
    assert messages[2]["legal"] == [str(n) for n in range(3, 10)]


@pytest.mark.parametrize(
    "said",
    [
        b'{"id": 999, "id": 1, "move": "1"}',
        b'{"id": 1, "move": "9", "move": "1"}',
        b'{"id": 1, "move": "1", "x": {"a": 1, "a": 2}}',
        b'{"id": 1, "id": 1, "move": "1"}',
    ],
)
def test_a_key_that_is_there_twice_is_a_protocol_forfeit(said: bytes) -> None:
    with pytest.raises(Forfeited, match="twice") as error:
        protocol.read_object(said)
    assert error.value.reason == "protocol"


@pytest.mark.parametrize("number", [b"1.0", b"1e0", b'"1"', b"true", b"null", b"[1]"])
def test_an_id_that_is_not_the_whole_number_is_a_protocol_forfeit(number: bytes) -> None:
    answer = protocol.read_object(b'{"id": ' + number + b', "move": "1"}')
    with pytest.raises(Forfeited) as error:
        protocol.numbered(answer, 1)
    assert error.value.reason == "protocol"
