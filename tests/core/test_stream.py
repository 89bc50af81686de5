"""The twins of streams: they draw, note and fail as in Python."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core import compiled
from arena.match.unseen import chance_move
from arena.rng import Stream, begin, drawn_below
from tests.core.test_lines import ended
from tests.core.twins import needs_compiled, python_of

pytestmark = needs_compiled

#: What a player may do with its generator.
DRAWS = st.one_of(
    st.tuples(st.just("choice"), st.integers(0, 300).map(range)),
    st.tuples(st.just("getrandbits"), st.integers(-1, 300)),
    st.tuples(st.just("getrandbits"), st.sampled_from([True, 1.5, None, 2**70])),
    st.tuples(st.just("randrange"), st.integers(-1, 2**80)),
    st.tuples(st.just("_randbelow"), st.integers(1, 2**300)),
    st.tuples(st.just("random")),
    st.tuples(st.just("shuffle"), st.integers(0, 40).map(lambda n: list(range(n)))),
    st.tuples(st.just("sample"), st.just(tuple(range(20))), st.integers(0, 21)),
    st.tuples(st.just("choices"), st.just("abc"), st.just((1, 2, 3))),
    st.tuples(st.just("getstate")),
    st.tuples(st.just("seed"), st.just(1)),
    st.tuples(st.just("gauss"), st.just(0), st.just(1)),
)


class Python(Stream):
    """A stream with the functions in Python."""

    __slots__ = ()


if compiled("stream") is not None:
    for name in ("begin", "getrandbits", "choice", "_randbelow"):
        setattr(Python, name, python_of(vars(Stream)[name]))
    Python.first_bits = property(python_of(vars(Stream)["first_bits"].fget))  # type: ignore[assignment]


@given(st.text(max_size=200), st.lists(DRAWS, max_size=12))
def test_a_stream_draws_as_in_python(name: str, draws: list[tuple[Any, ...]]) -> None:
    if "\ud800" <= max(name, default="") <= "\udfff":
        return
    streams, others = (Stream(), Stream()), (Python(), Python())
    begin(streams, name)
    python_of(begin)(others, name)
    for one, other in zip(streams, others, strict=True):
        assert one.first_bits == other.first_bits
        for method, *arguments in draws:
            taken = [tried(stream, method, arguments) for stream in (one, other)]
            assert taken[0] == taken[1], (method, arguments)
            assert one.draws == other.draws
            assert one.first_bits == other.first_bits


def tried(stream: Stream, method: str, arguments: list[Any]) -> object:
    """Return what a stream answers and what became of the arguments, or the kind of complaint."""
    copies = pickle.loads(pickle.dumps(arguments))
    try:
        return getattr(stream, method)(*copies), copies
    except Exception as error:
        return type(error)


def test_a_name_that_is_no_text_is_refused_as_in_python() -> None:
    streams = Stream(), Stream()
    for name in ("\ud800", None, 5):
        assert ended(begin, streams, name)[0] is ended(python_of(begin), streams, name)[0]


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.integers(-1, 2**70))
def test_a_number_of_a_name_is_drawn_as_in_python(name: str, n: int) -> None:
    assert ended(drawn_below, name, n) == ended(python_of(drawn_below), name, n)


SHARES = st.lists(st.integers(0, 4), min_size=1, max_size=6).map(
    lambda weights: tuple(Fraction(w, max(1, sum(weights))) for w in weights)
)


@given(st.text("ab/", max_size=200), st.integers(0, 9), SHARES, st.booleans())
def test_chance_moves_as_in_python(
    block: str, event: int, shares: tuple[Fraction, ...], even: bool
) -> None:
    if even:  # one object for all of them, as the games of arena have it
        shares = (Fraction(1, len(shares)),) * len(shares)
    for moves in (tuple(enumerate(shares, 3)), list(enumerate(shares, 3)), (), ((1,),), None):
        answers = [ended(f, moves, block, event) for f in (chance_move, python_of(chance_move))]
        assert answers[0] == answers[1]


def test_chances_that_share_one_wrong_fraction_are_refused() -> None:
    for share in (Fraction(1, 3), Fraction(2, 2), 0.5, None):
        moves = ((3, share), (4, share))
        answers = [ended(f, moves, "g", 0)[0] for f in (chance_move, python_of(chance_move))]
        assert answers == [answers[0]] * 2


def test_a_stream_forgets_what_a_player_did_to_it() -> None:
    stream = Stream()
    stream.__dict__["choice"] = lambda seq: seq[0]
    stream.gauss(0, 1)
    begin((stream, Stream()), "g")
    assert stream.__dict__ == {"gauss_next": None}
    assert isinstance(stream, random.Random)


@pytest.mark.parametrize("pure", ["0", "1"])
def test_a_state_is_read_in_both_builds(pure: str) -> None:
    stream = Stream()
    begin((stream, Stream()), "g")
    stream.choice(range(5))
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).random())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(stream),
        capture_output=True,
        env={"ARENA_PURE": pure},
        check=True,
    )
    assert float(done.stdout) == pickle.loads(pickle.dumps(stream)).random()
