"""Answers as data: what comes back is what was sent, and nothing else gets in."""

from __future__ import annotations

import os
import pickle
import random
from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import (
    CannotEnumerate,
    CannotLoad,
    Forfeited,
    PlayerFault,
    PlayerFileError,
    UnknownName,
    Withdrawn,
)
from arena.executors.base import TaskFailed
from arena.executors.decoding import decode
from arena.executors.encoding import encode
from arena.executors.passable_classes import DecodeError
from arena.fights.pair_counts import PairCounts
from arena.game import Outcome, Side
from arena.match.record import Forfeit, GameRecord, PlayedPair
from tests.golden import Wording

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
    | st.fractions()
    | st.sampled_from([*Outcome, *Side]),
    lambda some: (
        st.lists(some)
        | st.lists(some).map(tuple)
        | st.dictionaries(st.text(), some)
        | st.frozensets(st.integers() | st.text())
        | st.sets(st.binary())
        | st.lists(st.text()).map(Counter)
        | st.builds(TaskFailed, some)
    ),
)


@pytest.mark.slow
@given(PLAIN)
def test_what_is_read_is_what_was_written(value: Any) -> None:
    again = decode(encode(value))
    assert again == value
    assert type(again) is type(value)


def some_pairs(count: int) -> list[PlayedPair]:
    rng = random.Random(count)
    records = [
        GameRecord(
            tuple(rng.randrange(9) for _ in range(rng.randrange(10))),
            rng.choice([Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS]),
            rng.choice([None, Forfeit(Side.SECOND, "crash", "gone\udc80")]),
        )
        for _ in range(2 * count)
    ]
    return [
        PlayedPair(n, (records[2 * n], records[2 * n + 1]), (0.5, rng.random()), opening="x")
        for n in range(count)
    ]


@pytest.mark.parametrize("count", [0, 1, 50])
def test_pairs_and_their_counts_pass(count: int) -> None:
    pairs = some_pairs(count)
    assert decode(encode(pairs)) == pairs
    assert decode(encode(PairCounts.of_pairs(pairs))) == PairCounts.of_pairs(pairs)


def test_records_keep_the_types_of_their_fields() -> None:
    [pair] = decode(encode(some_pairs(1)))
    assert type(pair) is PlayedPair
    assert type(pair.records[0]) is GameRecord
    assert pair.records[0].outcome in set(Outcome)
    assert type(pair.records[0].moves) is tuple


@pytest.mark.parametrize("dtype", ["int8", "uint32", "float64", "bool"])
def test_arrays_pass_and_can_be_written_to(dtype: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(dtype)
    again = decode(encode({"a": array}))["a"]
    assert again.dtype == array.dtype
    assert (again == array).all()
    again[0, 0] = 1


def test_errors_pass_with_what_they_know() -> None:
    for error in (
        UnknownName("player", "x", ["y"]),
        Forfeited("crash", "gone"),
        Forfeited("import-error", "gone", "p"),
        PlayerFileError("p", "gone"),
        CannotEnumerate("draws a float", "p", "_________"),
        PlayerFault("raises"),
        CannotLoad("p", "gone"),
        Withdrawn("p", "crash", "gone"),
    ):
        again = decode(encode(error))
        assert type(again) is type(error)
        assert str(again) == str(error) == str(pickle.loads(pickle.dumps(error)))
        assert vars(again) == vars(error) == vars(pickle.loads(pickle.dumps(error)))


class Foreign:
    pass


@pytest.mark.parametrize("value", [Foreign(), print, Foreign, np.array([None]), [Foreign()]])
def test_nothing_else_is_sent(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


def test_no_byte_can_be_left_out_or_added() -> None:
    data = encode(some_pairs(2))
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            decode(data[:end])
    with pytest.raises(DecodeError):
        decode(data + b"\0")


@pytest.mark.slow
@given(st.binary(), st.integers(0, 10**6))
def test_garbage_is_a_value_or_garbled_and_never_anything_else(garbage: bytes, at: int) -> None:
    data = encode(some_pairs(1))
    at %= len(data)
    for text in (garbage, data[:at] + garbage + data[at + len(garbage) :]):
        with suppress(DecodeError):
            decode(text)


class Runs:
    def __reduce__(self) -> Any:
        return os.abort, ()


def test_a_pickle_does_not_run() -> None:
    with pytest.raises(DecodeError):
        decode(pickle.dumps(Runs()))


@pytest.mark.parametrize("name", ["os:system", "arena.errors:describe", "arena.game:Position", "x"])
def test_only_records_of_arena_can_be_named(name: str, wording: Wording) -> None:
    data = encode(TaskFailed("x"))
    real = encode("arena.executors.base:TaskFailed")[1 + 8 :]
    forged = encode(name)[1 + 8 :]
    assert real in data
    with wording.raises(DecodeError):
        decode(data.replace(real, forged))


def test_a_few_bytes_cannot_ask_for_much_memory() -> None:
    for tag in b"N?bqdsy([{<:#/ar*i":
        with pytest.raises(DecodeError):
            decode(bytes([tag]) + (10**15).to_bytes(8, "little") + bytes(20))
