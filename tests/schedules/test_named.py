"""A schedule that breaks its contract is named in one line, with its plugin and the round."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest

from arena.errors import PluginError, UsageError
from arena.schedules import Bye, Item, Place, ScheduledPairing, TournamentState
from arena.schedules.named import NamedSchedule, Round, ScheduleKind
from tests.golden import Wording
from tests.schedules.simulated import play

KNOWN = TournamentState(("a", "b", "c"), 2, withdrawn={"c": 0})


def kind(make: Any, argument: str = "R") -> ScheduleKind:
    return ScheduleKind("it", make, argument, plugin="own")


def raises(state: TournamentState) -> list[tuple[str, str]]:
    raise ValueError("none today")


def endless(state: TournamentState) -> Iterator[tuple[str, str]]:
    return repeat(("a", "b"))


@pytest.mark.parametrize(
    "round_",
    [
        [("a", "a")],
        [("a", "alice")],
        [("a", "c")],
        [("a", "b"), ("b", "a")],
        [("a", "b"), Bye("a")],
        [Bye("a")],
        "ab",
        None,
        ["ab"],
        [("a", "b", 0)],
        [("a", "b", True)],
        [("a", 1)],
        [()],
        [ScheduledPairing("a", "b", 17)],
        [],
    ],
)
def test_a_wrong_round_is_the_fault_of_its_plugin(round_: Any, wording: Wording) -> None:
    schedule = kind(lambda text: lambda state: round_).read("it:5")
    with pytest.raises(PluginError) as caught:
        schedule.next_round(KNOWN)
    wording(str(caught.value), "'it:5'")
    wording(str(caught.value))
    assert caught.value.exit_code == 4


def test_a_schedule_that_raises_or_gives_too_much_is_named_too(wording: Wording) -> None:
    for schedule, problem in ((raises, "ValueError: none today"), (endless, "'a'")):
        with wording.raises(PluginError, match=problem):
            kind(lambda text, schedule=schedule: schedule).read("it:5").next_round(KNOWN)


def test_a_round_may_name_pairs_or_leave_them_out() -> None:
    given: list[Item] = [("a", "b"), ScheduledPairing("c", "d", 7), Bye("e")]
    round_ = NamedSchedule("it", lambda state: given, "it").next_round(
        TournamentState(tuple("abcde"), 2)
    )
    assert round_ == Round((ScheduledPairing("a", "b", 2), ScheduledPairing("c", "d", 7)), ("e",))


def test_a_schedule_without_an_end_is_ended(wording: Wording) -> None:
    with wording.raises(PluginError, match="'b'.*'a'.*27"):
        play(lambda state: [("b", "a")], TournamentState(("a", "b"), 3), random.Random(1))


def test_a_schedule_may_refuse_the_entrants_before_the_first_round(wording: Wording) -> None:
    def refuses(state: TournamentState) -> list[tuple[str, str]]:
        raise UsageError("an even number, please")

    with wording.raises(UsageError):
        kind(lambda text: refuses).read("it:5").next_round(KNOWN)


@pytest.mark.parametrize("text", ["it", "it:"])
def test_a_text_without_its_argument_is_refused(text: str, wording: Wording) -> None:
    with pytest.raises(UsageError, match=f"'{text}' .* it:R"):
        kind(lambda text: raises).read(text)
    with wording.raises(UsageError, match="'it:x'"):
        kind(lambda text: raises, argument="").read("it:x")


def test_what_makes_a_schedule_answers_for_it(wording: Wording) -> None:
    with wording.raises(PluginError, match="'it:5'.*ValueError"):
        kind(raises).read("it:5")
    with wording.raises(PluginError, match="'it:5'.*'7'"):
        kind(lambda text: 7).read("it:5")


def test_standings_name_every_entrant_once(wording: Wording) -> None:
    class Own:
        def __init__(self, found: Any) -> None:
            self.found = found

        def __call__(self, state: TournamentState) -> list[tuple[str, str]]:
            return []

        def standings(self, state: TournamentState) -> Any:
            return self.found

    rows = [Place(1, "a", {}), Place(1, "c", {}), Place(3, "b", {})]
    assert NamedSchedule("it", Own(rows), "it").standings(KNOWN) == tuple(rows)
    assert NamedSchedule("it", raises, "it").standings(KNOWN) is None
    for wrong in (rows[:2], None, [1]):
        with wording.raises(PluginError):
            NamedSchedule("it", Own(wrong), "it").standings(KNOWN)
