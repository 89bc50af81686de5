"""The table of pairs: its sums, and what it says of games, counted a second way."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.model.codec import encode
from arena.records.base import Tally
from arena.records.joint import NOTHING, Joint

#: A's doubled points in the two games of some pairs.
pairs = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30)


def joint_of(ends: list[tuple[int, int]]) -> Joint:
    return sum((Joint.of(*end) for end in ends), NOTHING)


def tally_of(points: list[int]) -> Tally:
    return Tally(points.count(2), points.count(1), points.count(0))


@given(pairs)
def test_a_table_says_what_a_list_of_pairs_says(ends: list[tuple[int, int]]) -> None:
    joint = joint_of(ends)
    first, second = [one for one, _ in ends], [two for _, two in ends]
    assert joint.pairs == len(ends)
    assert (joint.first, joint.second) == (tally_of(first), tally_of(second))
    assert joint.total == tally_of(first + second)
    points = [one + two for one, two in ends]
    assert joint.pentanomial == tuple(points.count(n) for n in range(5))
    assert encode(joint) == [[ends.count((i, j)) for j in range(3)] for i in range(3)]


@pytest.mark.slow
@given(pairs, pairs)
def test_tables_add_up_in_any_order(
    some: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    whole = joint_of(some + others)
    assert joint_of(some) + joint_of(others) == joint_of(others) + joint_of(some) == whole
    assert whole - joint_of(some) == joint_of(others)
    assert type(whole - whole) is Joint


def test_a_cell_is_named_by_the_two_results() -> None:
    for (i, one), (j, two) in product(enumerate("ldw"), repeat=2):
        assert Joint.of(i, j, 7) == Joint(**{one + two: 7})


@given(pairs)
def test_the_opponent_sees_the_other_results_with_the_sides_swapped(
    ends: list[tuple[int, int]],
) -> None:
    joint = joint_of(ends)
    view = joint.reversed()
    assert view == joint_of([(2 - two, 2 - one) for one, two in ends])
    assert view.first == joint.second.reversed()
    assert view.pentanomial == joint.pentanomial[::-1]
    assert view.reversed() == joint


def test_a_fight_has_a_view_of_either_player() -> None:
    fight = arena.fight("monkey", "triples", n=5, seed=1, openings="all:1")
    view = fight.reversed()
    assert view.players == fight.players[::-1]
    assert view.total == fight.total.reversed()
    assert fight.interval is not None
    assert view.interval is not None
    assert view.interval.ends == pytest.approx(fight.interval.reversed().ends)
    assert view.reversed() == fight
