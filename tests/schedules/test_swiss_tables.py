"""A Swiss tournament of tables: all play in turn, equal scores sit together, and few meet again."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.schedules import Bye
from arena.schedules.named import NamedSchedule, TablePlan
from arena.schedules.swiss import Swiss
from arena.schedules.swiss_tables import met, standings
from arena.schedules.tables import TableRound, TableScore, TablesState
from tests.schedules.simulated import entrants


def play(
    rounds: int, state: TablesState, rng: random.Random
) -> tuple[TablesState, list[TablePlan]]:
    """Play a tournament whose entrants are the stronger the earlier they enter, with luck."""
    schedule = NamedSchedule("swiss", Swiss(rounds), "swiss")
    plans = []
    while (plan := schedule.next_tables(state)).tables:
        plans.append(plan)
        tables = []
        for players, blocks in plan.tables:
            strength = [rng.random() / (1 + state.entrants.index(name)) for name in players]
            total = sum(strength)
            points = tuple(Fraction(round(1000 * each / total), 1000) * blocks for each in strength)
            tables.append(TableScore(players, blocks, points))
        played = TableRound(tuple(tables), plan.byes)
        state = TablesState(
            state.entrants, state.seats, state.blocks, rounds=(*state.rounds, played)
        )
    return state, plans


@pytest.mark.slow
@given(st.integers(3, 8), st.integers(0, 14), st.integers(1, 5), st.integers(0, 10**6))
def test_all_sit_once_a_round_or_rest_and_nobody_rests_much_more_often(
    seats: int, more: int, rounds: int, seed: int
) -> None:
    names = entrants(seats + more)
    rounds = min(rounds, len(names) - 1)
    state, plans = play(rounds, TablesState(names, seats, 2), random.Random(seed))
    assert len(plans) == rounds
    for plan in plans:
        sitting = [*chain.from_iterable(table.players for table in plan.tables), *plan.byes]
        assert sorted(sitting) == sorted(names)
        assert len(plan.byes) == len(names) % seats
    rests = Counter(dict.fromkeys(names, 0))
    rests.update(chain.from_iterable(plan.byes for plan in plans))
    assert max(rests.values()) - min(rests.values()) <= 1
    ranking = standings(state)
    assert sorted(place.player for place in ranking) == sorted(names)
    points = [place.marks["points"] for place in ranking]
    assert points == sorted(points, reverse=True)
    assert points[0] == state.scores()[ranking[0].player]


@pytest.mark.slow
@given(st.integers(3, 5), st.integers(3, 6), st.integers(0, 10**6))
def test_no_two_sit_together_again_in_the_second_round_where_that_can_be(
    seats: int, tables: int, seed: int
) -> None:
    tables = max(tables, seats)  # else two of a table of the first round must meet again
    state, _ = play(2, TablesState(entrants(seats * tables), seats, 1), random.Random(seed))
    assert max(met(state).values()) == 1


def test_the_best_do_not_meet_in_the_first_round_and_do_in_the_second() -> None:
    state, plans = play(2, TablesState(entrants(12), 3, 1), random.Random(5))
    first = {table.players for table in plans[0].tables}
    assert first == {tuple(entrants(12)[start::4]) for start in range(4)}
    after_one = TablesState(state.entrants, 3, 1, rounds=state.rounds[:1]).scores()

    def spread(plan: TablePlan) -> Fraction:
        return sum(
            (
                (after_one[a] - after_one[b]) ** 2
                for table in plan.tables
                for a, b in combinations(table.players, 2)
            ),
            Fraction(0),
        )

    assert spread(plans[1]) < spread(plans[0])


def test_a_bye_is_worth_the_mean_of_its_round_and_buchholz_that_of_the_others() -> None:
    table = TableScore(("a", "b", "c"), 2, (Fraction(2), Fraction(1), Fraction(0)))
    state = TablesState(("a", "b", "c", "d"), 3, 2, rounds=(TableRound((table,), ("d",)),))
    assert state.scores() == {"a": 2, "b": 1, "c": 0, "d": 1}
    assert [(place.rank, place.player) for place in standings(state)] == [
        *((1, "a"), (2, "b"), (3, "d"), (4, "c"))
    ]
    marks = {place.player: place.marks["buchholz"] for place in standings(state)}
    assert marks == {"a": 1, "b": 2, "c": 3, "d": 0}


@pytest.mark.parametrize(("rounds", "size"), [(4, 4), (6, 6), (99, 30)])
def test_too_many_rounds_are_refused(rounds: int, size: int) -> None:
    with pytest.raises(UsageError, match=f"swiss:{rounds} .* {size} "):
        Swiss(rounds).tables(TablesState(entrants(size), 3, 1))


def test_the_round_does_not_depend_on_anything_but_the_state() -> None:
    state, _ = play(3, TablesState(entrants(14), 4, 2), random.Random(3))
    again = Swiss(9).tables(state)
    assert again == Swiss(9).tables(state)
    assert sum(isinstance(item, Bye) for item in again) == 2
