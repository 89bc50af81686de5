"""The border: whatever a player's process writes is an answer that the rest of arena can use, or a
forfeit for the reason ``protocol``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.errors import CannotEnumerate, Forfeited
from arena.features.check.judge import _SEEN
from arena.games.mnk import mnk_game
from arena.proof.branches import chances_of, stream_number, values_of
from arena.rng import NEGATIVE, READY_BITS, Draw, Stream
from arena.sandbox.wire import blocks, protocol
from arena.sandbox.wire.frames import DRAWS, HEADER, MOVE, frame
from arena.sandbox.wire.languages import FRAMES
from tests.golden import Wording

T = TypeVar("T")

GAME = mnk_game(3, 3, 3)

#: What forged draws may be made of.
THINGS = st.recursive(
    st.sampled_from(
        ["0", "1", "-1", "1/3", "1/0", "9" * 5000, "1e9", "nan", "", "\x1b[2J", "\ud800"]
    )
    | st.sampled_from([0, 1, 9, -1, -256, -257, 2**256, 2**256 + 1, 10**400, 0.5, True, None])
    | st.integers()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
ANSWERS = st.dictionaries(
    st.sampled_from(
        [
            *("move", "moves", "draws", "error", "refused", "seen", "ready", "needs_draws"),
            *("remembers", "summary", "stateless", "batch", "id", "failed", "barred"),
        ]
    ),
    THINGS | THINGS.map(json.dumps) | st.sampled_from(["1", "5", "0", "m"]),
)
MOVES = st.tuples(st.sampled_from(["1", "9", "0", "x"]), THINGS.map(json.dumps) | st.text())
FRAMED = (
    st.binary(max_size=60)
    | ANSWERS.map(lambda value: json.dumps(value).encode())
    | MOVES.map(lambda said: MOVE + DRAWS.join(said).encode(errors="surrogatepass"))
    | THINGS.map(lambda value: MOVE + f"1{DRAWS}{json.dumps([value])}".encode())
)


def is_fit_to_be_shown(message: str) -> bool:
    return message.isprintable() and 0 < len(message) < 1500


def read(reader: Callable[[], T], *reasons: str) -> T | None:
    """Return what a reader reads. Where it refuses, require one of the reasons and fit words."""
    try:
        return reader()
    except (Forfeited, CannotEnumerate) as caught:
        error = caught
    reason = error.reason if isinstance(error, Forfeited) else "refused"
    assert reason in ("protocol", *reasons)
    assert is_fit_to_be_shown(str(error))
    if isinstance(error, Forfeited):
        require_draws(error.draws)
    return None


def require_draws(draws: Sequence[Draw]) -> None:
    """Use draws as a proof does; it may refuse them in words of its own."""
    for draw in draws:
        assert isinstance(draw, (int, tuple, str))
        chances = read(partial(chances_of, draw), "refused")
        if chances is None:
            return
        assert sum(chances) == 1
        assert min(chances) >= 0
    values = values_of((1 << READY_BITS) - 1, draws)
    read(lambda: stream_number(zip(draws, values, strict=True)), "refused")


def read_all(message: bytes) -> None:
    """Read a whole frame in every way in which arena reads one."""
    answer = read(lambda: FRAMES.answer(message, 1), *protocol.ADMITTED)
    if answer is None:
        return
    read(lambda: protocol.read_move(answer, GAME), "illegal")
    require_draws(read(lambda: protocol.read_draws(answer)) or [])
    read(lambda: protocol.read_sightings(answer))
    read(lambda: blocks.read_moves(answer))
    assert protocol.text(answer, "remembers").isprintable()
    result = read(lambda: protocol.read_distribution(answer, GAME), "refused")
    assert result is None or (sum(result.values()) == 1 and min(result.values()) >= 0)


@pytest.mark.slow
@given(FRAMED)
@example(b"m1\x00[[]]")
@example(b'm1\x00[["0","0"]]')
@example(b'm1\x00[["-1","1"]]')
@example(b'm1\x00{"a": 1}')
@example(b'{"move": "1", "draws": 5}')
def test_no_frame_is_an_exception_of_arenas_own(said: bytes) -> None:
    read_all(frame(1, said))


@pytest.mark.nightly
@given(FRAMED)
@settings(max_examples=6000, deadline=None)
def test_no_frame_of_very_many_is_an_exception_of_arenas_own(said: bytes) -> None:
    read_all(frame(1, said))


@pytest.mark.slow
@given(st.lists(FRAMED, max_size=3), st.binary(max_size=40), st.integers(0, 2**32 - 1))
@settings(max_examples=2000, deadline=None)
def test_no_bytes_are_an_exception_of_arenas_own(
    several: list[bytes], rest: bytes, length: int
) -> None:
    """Whatever the pieces are, with any numbers and lengths in their headers."""
    unread = bytearray(b"".join(frame(1, text) for text in several))
    unread += HEADER.pack(length, 1) + rest
    while (message := read(lambda: FRAMES.cut(unread))) is not None:
        read_all(message)


@pytest.mark.parametrize(
    "draws",
    [
        *("[[]]", '[["0","0"]]', '[["-1","1"]]', '[["1/0"]]', "[[1]]", '[[["1"]]]', "[0.5]"),
        *("[true]", "[null]", "[NaN]", "[1e400]", "5", '"1"', '{"a": 1}', '[""]', "[-257]"),
        *(f"[{2**256 + 1}]", f"[{10**400}]", f"[{'9' * 5000}]", "[" * 5000, '[["1"', "[{}]"),
    ],
)
def test_draws_that_no_generator_makes_are_refused(draws: str, wording: Wording) -> None:
    with wording.raises(Forfeited) as caught:
        protocol.read_draws({"draws": draws})
    assert caught.value.reason == "protocol"


DRAWN = st.lists(
    st.integers(1, 40).map(lambda n: lambda rng: rng.randrange(n))
    | st.integers(0, 300).map(lambda k: lambda rng: rng.getrandbits(k))
    | st.lists(st.integers(-1, 3), min_size=1, max_size=5).map(
        lambda weights: lambda rng: rng.choices(range(len(weights)), weights)
    )
    | st.just(lambda rng: rng.random())
    | st.just(lambda rng: rng.seed(1)),
    max_size=6,
)


@pytest.mark.slow
@given(DRAWN)
def test_all_that_a_generator_notes_crosses_the_border(draw: list[Any]) -> None:
    stream = Stream()
    stream.begin(12345)
    for one in draw:
        with suppress(ValueError):  # weights without a sum
            one(stream)
    text = protocol.draws_text(stream.draws)
    assert protocol.read_draws({"draws": text}) == stream.draws
    require_draws(stream.draws)


def test_negative_weights_are_noted_in_words() -> None:
    stream = Stream()
    stream.choices("ab", [-1, 2])
    assert stream.draws == [NEGATIVE]
    stream.choices("ab", [1, 2])
    assert stream.draws[1:] == [(Fraction(1), Fraction(2))]


def test_a_check_knows_every_sighting_that_may_come(wording: Wording) -> None:
    assert set(protocol.SIGHTINGS) == set(_SEEN)
    with wording.raises(Forfeited):
        protocol.read_sightings({"seen": {"another": ["text", "place"]}})
