"""A schedule of tables that breaks its contract is named, whatever it returns."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from arena.errors import PluginError, UsageError
from arena.schedules import Bye, Place
from arena.schedules.named import NamedSchedule
from arena.schedules.tables import ScheduledTable, TableRound, TableScore, TablesState
from tests.golden import Wording

STATE = TablesState(("a", "b", "c", "d", "e", "f", "g"), 3, 2)


class Own:
    """A schedule of one answer."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self._answer = answer

    def __call__(self, state: object) -> list[Any]:
        return []

    def tables(self, state: TablesState) -> Any:
        return self._answer()


def named(answer: Callable[[], Any]) -> NamedSchedule:
    return NamedSchedule("own", Own(answer), "schedule 'own' of plugin own.py")


def test_names_tables_and_byes_make_a_round() -> None:
    items = [("a", "b", "c"), ScheduledTable(("d", "e", "f"), 5), Bye("g")]
    plan = named(lambda: items).next_tables(STATE)
    assert plan.tables == (ScheduledTable(("a", "b", "c"), 2), ScheduledTable(("d", "e", "f"), 5))
    assert plan.byes == ("g",)


def fails() -> Any:
    raise ZeroDivisionError("oh no")


@pytest.mark.parametrize(
    "answer",
    [
        fails,
        lambda: 7,
        lambda: "abc",
        lambda: [7],
        lambda: [("a", "b")],
        lambda: [("a", "b", "c", "d")],
        lambda: [("a", "b", "b")],
        lambda: [("a", "b", "x")],
        lambda: [("a", "b", 3)],
        lambda: [(("a", "b", "c"), 0)],
        lambda: [(("a", "b", "c"), True)],
        lambda: [(("a", "b", "c"), 17)],
        lambda: [("a", "b", "c"), ("c", "d", "e")],
        lambda: [("a", "b", "c"), Bye("a")],
        lambda: [Bye("a")],
        list,
    ],
)
def test_a_wrong_round_is_a_fault_of_the_plugin(
    answer: Callable[[], Any], wording: Wording
) -> None:
    with pytest.raises(PluginError) as fault:
        named(answer).next_tables(STATE)
    assert "own.py" in str(fault.value)
    wording(str(fault.value))


def test_a_table_may_not_sit_down_for_ever() -> None:
    points = (Fraction(1),) * 3
    rounds = tuple(TableRound((TableScore(("c", "a", "b"), 2, points),)) for _ in range(8))
    state = TablesState(STATE.entrants, 3, 2, rounds=rounds)
    with pytest.raises(PluginError, match=r"a, b, c .* 18 "):
        named(lambda: [("a", "b", "c")]).next_tables(state)


def test_an_empty_round_ends_the_tournament_once_a_table_has_played() -> None:
    played = TableRound((TableScore(("a", "b", "c"), 2, (Fraction(1),) * 3),))
    assert not named(list).next_tables(TablesState(STATE.entrants, 3, 2, rounds=(played,))).tables


def test_a_schedule_may_refuse_these_entrants_before_the_first_round() -> None:
    def refuses() -> Any:
        raise UsageError("seven are too few")

    with pytest.raises(UsageError, match="seven are too few"):
        named(refuses).next_tables(STATE)


def test_standings_have_every_entrant_once(wording: Wording) -> None:
    schedule = named(list)
    assert schedule.table_standings(STATE) is None
    schedule.schedule.table_standings = lambda state: [Place(1, "a", {})]  # type: ignore[attr-defined]
    with wording.raises(PluginError):
        schedule.table_standings(STATE)
