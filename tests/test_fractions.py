"""Read exact numbers as Python does, and refuse at once those that take long."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.fractions import MAX_LENGTH, fraction_of


@given(some.fractions())
def test_what_python_writes_is_read(number: Fraction) -> None:
    assert fraction_of(str(number)) == number


@given(some.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_number_that_it_is_written_as(number: float) -> None:
    assert fraction_of(repr(number)) == Fraction(repr(number))


@pytest.mark.parametrize("text", [".5", "5.", "+3", "1E2", "7/3"])
def test_as_programs_write_one(text: str) -> None:
    assert fraction_of(text) == Fraction(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "nan", "inf", "1/0", "0/0", "1/-2", "1/2/3", "1.5/2", "1e5/2", "--1", ".", "1e"),
        *(
            "1e999999999",
            "1e-999999999",
            "1e1000",
            "1_000",
            "٣",
            " 1",
            "1\n",
            "9" * (MAX_LENGTH + 1),
        ),
    ],
)
def test_others_are_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number such as"):
        fraction_of(text)
