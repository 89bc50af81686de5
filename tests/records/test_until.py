"""Test questions that end a fight or a tournament: how they are written, and which make sense."""

from __future__ import annotations

import pytest

from arena.errors import ArenaError
from arena.records.until import FORMS, OF_FIGHTS, OF_TOURNAMENTS, Until, read_until


@pytest.mark.parametrize("text", ["±2%", "+-2%", "+/-2%", "2%", "± 2 %", "0.02", "±.02", "2e-2"])
def test_read_a_half_width_however_it_is_written(text: str) -> None:
    assert read_until(text) == Until("width", 0.02)
    assert str(read_until(text)) == "±2%"


@pytest.mark.parametrize("text", ["±0.25%", "better", "best", "top:3", "order"])
def test_write_a_question_as_it_is_read(text: str) -> None:
    assert str(read_until(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("±0", "above 0 and below 0.5"),
        ("±60%", "not 0.6 (60 %)"),
        ("2", "not 2 (200 %)"),
        ("nan", "unknown question 'nan'"),
        ("", "unknown question ''"),
        ("beter", "did you mean 'better'?"),
        ("better:3", "is written better"),
        ("top", "is written top:K"),
        ("top:0", "a whole number from 1"),
        ("top:two", "a whole number from 1"),
        ("±W%", "unknown question"),
    ],
)
def test_refuse_a_question_that_makes_no_sense(text: str, message: str) -> None:
    with pytest.raises(ArenaError) as refused:
        read_until(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_refuse_questions_of_others() -> None:
    assert {*OF_FIGHTS, *OF_TOURNAMENTS} == set(FORMS)
    for text, questions in (
        ("best", OF_FIGHTS),
        ("±2%", OF_TOURNAMENTS),
        ("better", OF_TOURNAMENTS),
    ):
        kind = "a tournament" if questions is OF_FIGHTS else "a fight"
        with pytest.raises(ArenaError, match=f"is a question of {kind}; ask here "):
            read_until(text, questions)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan")])
def test_refuse_an_error_that_cannot_be_kept(alpha: float) -> None:
    with pytest.raises(ArenaError, match="--alpha must be between 0 and 1"):
        read_until("better", alpha=alpha)


@pytest.mark.parametrize("margin", [0, 0.5, -0.1, float("nan"), float("inf")])
def test_refuse_a_margin_that_holds_nothing_or_everything(margin: float) -> None:
    with pytest.raises(ArenaError, match="--margin must be above 0"):
        read_until("best", margin=margin)


def test_refuse_a_margin_beside_a_width() -> None:
    with pytest.raises(ArenaError, match="--margin does not go with"):
        read_until("±2%", margin=0.02)
