"""Networks of results: groups against their definition."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.connectivity import cycles_differ, reachable, strong_groups

steps = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@pytest.mark.slow
@given(steps)
def test_groups_reach_each_other_and_come_before_those_that_they_reach(
    edges: list[tuple[int, int]],
) -> None:
    reach = reachable(6, edges)

    def is_reached(a: int, b: int) -> bool:
        seen, waiting = {a}, [a]
        while waiting:
            at = waiting.pop()
            new = {to for start, to in edges if start == at} - seen
            seen |= new
            waiting += new
        return b in seen

    for a, b in itertools.product(range(6), repeat=2):
        assert bool(reach[a] >> b & 1) == is_reached(a, b)
    groups = strong_groups(reach)
    place = {player: k for k, group in enumerate(groups) for player in group}
    assert sorted(place) == list(range(6))
    for a, b in itertools.product(range(6), repeat=2):
        assert (place[a] == place[b]) == (is_reached(a, b) and is_reached(b, a))
        if is_reached(a, b):
            assert place[a] <= place[b]


@pytest.mark.slow
@given(steps, st.lists(st.integers(-1, 1), min_size=6, max_size=6))
def test_differences_of_numbers_agree_and_others_do_not(
    edges: list[tuple[int, int]], numbers: list[int]
) -> None:
    agreeing = [(a, b, numbers[a] - numbers[b]) for a, b in edges]
    assert not cycles_differ(6, agreeing)
    if agreeing:
        a, b, difference = agreeing[0]
        assert cycles_differ(6, [*agreeing, (a, b, difference + 1)])
