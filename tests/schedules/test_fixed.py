"""Pairings that are known in advance come once each, whoever comes late or leaves."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.schedules import TournamentState
from arena.schedules.fixed import Gauntlet, round_robin
from tests.golden import Wording
from tests.schedules.simulated import entrants, play


@pytest.mark.slow
@given(st.integers(1, 20))
def test_a_round_robin_has_no_round_too_many(size: int) -> None:
    check_round_robin(size)


@pytest.mark.nightly
def test_a_round_robin_of_two_hundred_has_no_round_too_many() -> None:
    check_round_robin(200)


def check_round_robin(size: int) -> None:
    names = entrants(size)
    _, rounds = play(round_robin, TournamentState(names, 1), random.Random(1))
    met = Counter(frozenset(pairing[:2]) for each in rounds for pairing in each.pairings)
    assert met == {frozenset(both): 1 for both in combinations(names, 2)}
    assert len(rounds) == (size - 1 + size % 2 if size > 1 else 0)
    assert {len(each.pairings) for each in rounds} <= {size // 2}


@pytest.mark.slow
@given(st.integers(2, 12), st.integers(0, 5), st.integers(0, 5))
def test_who_comes_late_meets_everybody_but_those_who_left(size: int, left: int, came: int) -> None:
    state, rounds = play(
        round_robin,
        TournamentState(entrants(size), 1),
        random.Random(1),
        {left: ["p0"]},
        {came: ["late"]},
    )
    met = Counter(frozenset(pairing[:2]) for each in rounds for pairing in each.pairings)
    assert {*met.values()} <= {1}
    others = [name for name in state.entrants if name != "p0"]
    if "late" in others:
        assert {frozenset(both) for both in combinations(others, 2)} <= {*met}


@given(st.integers(2, 12))
def test_a_gauntlet_meets_all_others_in_turn(size: int) -> None:
    names = entrants(size)
    _, rounds = play(Gauntlet("p1"), TournamentState(names, 1), random.Random(1))
    assert [each.pairings[0][:2] for each in rounds] == [
        ("p1", name) for name in names if name != "p1"
    ]


def test_a_gauntlet_is_of_an_entrant(wording: Wording) -> None:
    with wording.raises(UsageError, match="'x'"):
        Gauntlet("x")(TournamentState(("a", "b"), 1))
