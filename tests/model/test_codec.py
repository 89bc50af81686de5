"""A record and its JSON are one thing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.model.codec import MAX_NESTING, decode, encode
from tests.golden import Wording


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Part:
    wins: int
    share: Fraction = Fraction(1, 2)

    @property
    def double(self) -> int:
        return 2 * self.wins


@dataclass(frozen=True)
class Whole:
    SCHEMA = "arena.whole/1"
    KEYS = (
        "title=name double=part.double *part parts first=parts.wins colour? note! by_name pair side"
    )

    name: str
    part: Part
    parts: tuple[Part, ...] = ()
    colour: Colour | None = None
    note: str = ""
    by_name: Mapping[str, float | None] = field(default_factory=dict)
    pair: tuple[int, str] = (0, "")
    side: Literal["first", "second"] = "first"


PARTS = st.builds(Part, st.integers(), st.fractions())
WHOLES = st.builds(
    Whole,
    st.text(),
    PARTS,
    st.lists(PARTS, max_size=3).map(tuple),
    st.sampled_from([None, *Colour]),
    st.text(),
    st.dictionaries(st.text(), st.none() | st.floats(allow_nan=False, allow_infinity=False)),
    st.tuples(st.integers(), st.text()),
    st.sampled_from(["first", "second"]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(WHOLES)
def test_a_record_comes_back(record: Whole) -> None:
    assert decode(Whole, json.loads(json.dumps(encode(record)))) == record


@pytest.mark.slow
@given(WHOLES, st.data())
def test_any_other_value_in_its_place_is_refused_or_read(
    record: Whole, data: st.DataObject
) -> None:
    content = encode(record)
    content[data.draw(st.sampled_from(list(content)))] = data.draw(JSON)
    with suppress(UsageError):
        assert isinstance(decode(Whole, content), Whole)


@given(JSON)
def test_any_json_is_refused_or_read(content: Any) -> None:
    with pytest.raises(UsageError):
        decode(Whole, content)


WHOLE = encode(Whole("a", Part(1), (Part(2), Part(3)), Colour.RED))


def test_keys_are_those_that_the_class_declares() -> None:
    part = {"wins": 2, "share": "1/2"}
    assert {
        "schema": "arena.whole/1",
        "title": "a",
        "double": 2,
        "wins": 1,
        "share": "1/2",
        "parts": [part, {**part, "wins": 3}],
        "first": [2, 3],
        "colour": "red",
        "note": None,
        "by_name": {},
        "pair": [0, ""],
        "side": "first",
    } == WHOLE


@pytest.mark.parametrize(
    "change",
    [
        {"parts": [{"wins": 1}, {"wins": "x"}]},
        {"parts": [{}]},
        {"parts": {}},
        {"wins": True},
        {"share": "1/0"},
        {"share": "1" * 9999},
        {"by_name": {"a": float("nan")}},
        {"pair": [1]},
        {"colour": "green"},
        {"side": "third"},
        {"schema": "arena.fight/1"},
    ],
)
def test_an_error_names_the_place(change: dict[str, Any], wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        decode(Whole, {**WHOLE, **change})
    wording(str(caught.value))


def test_unknown_keys_are_ignored() -> None:
    assert decode(Whole, {**WHOLE, "later": [1]}) == decode(Whole, WHOLE)


@dataclass(frozen=True)
class Nest:
    inner: Nest | None = None


def test_depth_has_a_bound(wording: Wording) -> None:
    content: dict[str, Any] = {}
    for _ in range(2 * MAX_NESTING):
        content = {"inner": content}
    with wording.raises(UsageError):
        decode(Nest, content)


@dataclass(frozen=True)
class Circle:
    kind: Literal["circle"]
    radius: int


@dataclass(frozen=True)
class Square:
    kind: Literal["square"]
    side: int


@dataclass(frozen=True)
class Shapes:
    shapes: tuple[Circle | Square, ...]


def test_a_literal_tells_which_record_an_object_is() -> None:
    square = {"kind": "square", "side": 2}
    read = decode(Shapes, {"shapes": [{"kind": "circle", "radius": 1}, square]})
    assert read == Shapes((Circle("circle", 1), Square("square", 2)))
    with pytest.raises(UsageError, match=r"shapes\[0\]\.side: expected int, got 'x'"):
        decode(Shapes, {"shapes": [{**square, "side": "x"}]})
    with pytest.raises(UsageError, match=r"shapes\[0\]\.kind: expected 'circle', got 'line'"):
        decode(Shapes, {"shapes": [{**square, "kind": "line", "radius": 1}]})


@dataclass(frozen=True)
class Costly:
    KEYS = "low=ends.wins high=ends.share *more?"

    calls: list[None]

    @property
    def ends(self) -> Part:
        self.calls.append(None)
        return Part(1)

    @property
    def more(self) -> Part | None:
        return None


def test_a_property_is_computed_once_and_a_part_that_is_not_there_has_no_keys() -> None:
    record = Costly([])
    assert encode(record) == {"low": 1, "high": "1/2"}
    assert len(record.calls) == 1
