"""The JSON of records that do not write it themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

import pytest

from arena.model.codec import encode
from arena.records.base import Record, Tally
from arena.records.void import VoidPairs


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Plain(Record):
    second: tuple[int, ...]
    first: Fraction | None = None


@dataclass(frozen=True)
class Chosen(Record):
    SCHEMA = "arena.chosen/1"
    KEYS = "twice number"

    number: int
    hidden: object = None

    @property
    def twice(self) -> int:
        return 2 * self.number


def test_a_record_has_its_fields_in_their_order() -> None:
    assert list(Plain((1, 2)).as_json().items()) == [("second", [1, 2]), ("first", None)]
    assert list(Tally(1, 2, 3).as_json()) == ["wins", "draws", "losses"]


def test_the_schema_comes_first_and_then_the_keys_that_are_named() -> None:
    json_value = Chosen(3, hidden=object()).as_json()
    assert list(json_value.items()) == [("schema", "arena.chosen/1"), ("twice", 6), ("number", 3)]
    assert replace(Chosen(3), number=4).as_json()["twice"] == 8


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Fraction(1, 3), "1/3"),
        (Colour.RED, "red"),
        (((1, None), [True]), [[1, None], [True]]),
        ({"a": Fraction(2), "b": (Tally(),)}, {"a": "2", "b": [Tally().as_json()]}),
        (Plain((), Fraction(1, 2)), {"second": [], "first": "1/2"}),
        (VoidPairs(1, 2, "why"), {"first": 1, "last": 2, "reason": "why", "killed": False}),
    ],
)
def test_values_become_json_types(value: object, json: object) -> None:
    json_value = encode(value)
    assert json_value == json
    assert type(json_value) is type(json)
