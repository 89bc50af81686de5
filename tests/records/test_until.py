"""Test questions that end a fight or a tournament: how they are written, and which make sense."""

from __future__ import annotations

import pytest

from arena.errors import ArenaError
from arena.records.until import FORMS, OF_FIGHTS, OF_TOURNAMENTS, Until, read_until
from tests.golden import Wording


@pytest.mark.parametrize("text", ["±2%", "+-2%", "+/-2%", "2%", "± 2 %", "0.02", "±.02", "2e-2"])
def test_read_a_half_width_however_it_is_written(text: str) -> None:
    assert read_until(text) == Until("width", 0.02)
    assert str(read_until(text)) == "±2%"


@pytest.mark.parametrize("text", ["±0.25%", "better", "best", "top:3", "order"])
def test_write_a_question_as_it_is_read(text: str) -> None:
    assert str(read_until(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "±0",
        "±60%",
        "2",
        "nan",
        "",
        "beter",
        "better:3",
        "top",
        "top:0",
        "top:two",
        "±W%",
    ],
)
def test_refuse_a_question_that_makes_no_sense(text: str, wording: Wording) -> None:
    with pytest.raises(ArenaError) as refused:
        read_until(text)
    wording(str(refused.value))
    assert "\n" not in str(refused.value)


def test_refuse_questions_of_others(wording: Wording) -> None:
    assert {*OF_FIGHTS, *OF_TOURNAMENTS} == set(FORMS)
    for text, questions in (
        ("best", OF_FIGHTS),
        ("±2%", OF_TOURNAMENTS),
        ("better", OF_TOURNAMENTS),
    ):
        with wording.raises(ArenaError):
            read_until(text, questions)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan")])
def test_refuse_an_error_that_cannot_be_kept(alpha: float, wording: Wording) -> None:
    with wording.raises(ArenaError, match="alpha"):
        read_until("better", alpha=alpha)


@pytest.mark.parametrize("margin", [0, 0.5, -0.1, float("nan"), float("inf")])
def test_refuse_a_margin_that_holds_nothing_or_everything(margin: float, wording: Wording) -> None:
    with wording.raises(ArenaError, match="margin"):
        read_until("best", margin=margin)


def test_refuse_a_margin_beside_a_width(wording: Wording) -> None:
    with wording.raises(ArenaError, match="margin"):
        read_until("±2%", margin=0.02)
