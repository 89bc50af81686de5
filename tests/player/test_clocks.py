"""Time controls are read as engines write them, and a clock charges what a move took."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.player.clocks import (
    MAX_BANK_MOVES,
    MAX_BANK_SECONDS,
    Clock,
    Clocks,
    Reading,
    TimeControl,
    read_control,
)
from tests.golden import Wording

CONTROLS = st.builds(
    TimeControl,
    st.integers(1, 1000 * MAX_BANK_SECONDS).map(lambda thousandths: thousandths / 1000),
    st.integers(0, 1000 * MAX_BANK_SECONDS).map(lambda thousandths: thousandths / 1000),
    st.integers(0, MAX_BANK_MOVES),
)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(60)),
        (60, TimeControl(60)),
        (0.5, TimeControl(0.5)),
        ("60+0.5", TimeControl(60, 0.5)),
        (".5+.05", TimeControl(0.5, 0.05)),
        ("40/60", TimeControl(60, 0, 40)),
        ("40/60+0.5", TimeControl(60, 0.5, 40)),
    ],
)
def test_a_time_control_is_read(text: object, control: TimeControl) -> None:
    assert read_control(text) == control


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "-1", "nan", "inf", "1e999", "1e3", ".", "5..5", "1:30", "9" * 5000),
        *("60+", "60 + 1", "60+-1", "60+1e9", "60+9999999", "60+0.5+1", "60+0.5\n", "1000001"),
        *("40/", "/60", "0/60", "00/60", "1001/60", "10000/60", "\u0666\u0660"),
        *(None, True, 0, -1, float("nan"), float("inf"), 1e300, [60]),
    ],
)
def test_anything_else_is_refused_in_one_line(text: object, wording: Wording) -> None:
    with wording.raises(UsageError, match="60") as caught:
        read_control(text)
    assert "\n" not in str(caught.value)


@given(CONTROLS)
def test_the_text_of_a_time_control_is_read_as_the_same(control: TimeControl) -> None:
    assert read_control(str(control)) == control


@given(CONTROLS, st.lists(st.floats(0, 1), max_size=100))
def test_a_clock_has_all_that_was_given_less_all_that_was_used(
    control: TimeControl, took: list[float]
) -> None:
    clock = Clock(control)
    made = 0
    for seconds in took:
        if seconds > clock.remaining:
            break
        clock.charge(seconds)
        made += 1
    banks = 1 + (made // control.moves if control.moves else 0)
    given_in_all = banks * control.base + made * control.increment
    assert clock.remaining == pytest.approx(given_in_all - sum(took[:made]), abs=1e-6)


def test_a_clock_says_how_many_moves_there_are_until_it_gets_its_next_bank() -> None:
    clock = Clock(TimeControl(10, 0, 2))
    shown = []
    for _ in range(3):
        shown.append(clock.reading)
        clock.charge(4)
    assert shown == [Reading(10, 0, 2), Reading(6, 0, 1), Reading(12, 0, 2)]


def test_a_move_longer_than_its_clock_leaves_nothing_and_no_debt() -> None:
    clock = Clock(TimeControl(1, 0.5))
    clock.charge(3)
    assert clock.remaining == 0.5


def test_a_player_sees_both_clocks() -> None:
    one, other = Clock(TimeControl(60, 0.5)), Clock(TimeControl(5))
    assert one.clocks == Clocks(Reading(60, 0.5, None))
    one.opponent = other
    other.charge(2)
    assert one.clocks == Clocks(Reading(60, 0.5, None), Reading(3, 0, None))
