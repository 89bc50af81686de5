"""Independent observations: each opening once, and two games that repeat once."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.stats.independence import (
    PAIR_SCORES,
    Observations,
    by_points,
    independent_joint,
    observations,
    openings_of,
    repeats,
    sequential_tables,
)

tables = st.lists(st.integers(0, 20), min_size=9, max_size=9).filter(any)
books = st.lists(st.tuples(tables, st.integers(1, 5)), min_size=1, max_size=4)


def mean_of(table: list[int]) -> float:
    """Return the mean score of the pairs of a table."""
    return fmean((i + j) / 4 for i in range(3) for j in range(3) for _ in range(table[3 * i + j]))


@given(tables)
def test_pairs_from_the_start_are_independent(table: list[int]) -> None:
    for by_opening in ([], [(table, 1)]):
        assert openings_of(by_opening) == 1
        assert observations(table, by_opening, False) == (by_points(table), PAIR_SCORES)
        assert sum(independent_joint(table, by_opening, False), ()) == tuple(table)


@pytest.mark.slow
@given(books)
def test_each_opening_counts_once_by_the_mean_of_its_pairs(
    by_opening: list[tuple[list[int], int]],
) -> None:
    openings = openings_of(by_opening)
    assume(openings > 1)
    total = [sum(cells) for cells in zip(*(table for table, _ in by_opening), strict=True)]
    result = observations(total, by_opening, False)
    assert sum(result.counts) == openings
    expected = sum(n * mean_of(table) for table, n in by_opening)
    scores = zip(result.counts, result.scores, strict=True)
    assert sum(n * score for n, score in scores) == pytest.approx(expected)
    joint = independent_joint(total, by_opening, False)
    assert sum(map(sum, joint)) == pytest.approx(openings)
    points = sum((i + j) / 4 * joint[i][j] for i in range(3) for j in range(3))
    assert points == pytest.approx(expected)


@pytest.mark.slow
@given(st.integers(0, 8), st.integers(2, 10**6))
def test_two_games_over_and_over_are_one_pair(cell: int, times: int) -> None:
    table = [times * (n == cell) for n in range(9)]
    assert repeats(table, 1, 2, False)
    assert not repeats(table, 1, 3, False)  # chance was at work
    assert sum(observations(table, [], True).counts) == 1
    assert sum(map(sum, independent_joint(table, [], True))) == 1


def test_chance_is_seen_by_results_games_and_forfeits() -> None:
    assert not repeats([0, 0, 0, 0, 1, 0, 0, 0, 0], 1, 2, False)  # one pair repeats nothing
    assert not repeats([1, 0, 0, 0, 9, 0, 0, 0, 0], 1, 2, False)
    assert repeats([3, 0, 0, 0, 3, 0, 0, 0, 0], 2, 4, False)  # one opening lost, one drawn
    assert not repeats([3, 0, 0, 0, 3, 0, 0, 0, 0], 2, 4, True)
    assert not repeats([3, 0, 0, 0, 3, 0, 0, 0, 0], 2, 5, False)


def joint(**cells: int) -> tuple[int, ...]:
    return tuple(cells.get(first + second, 0) for first in "ldw" for second in "ldw")


def test_an_opening_that_is_met_again_does_not_change_what_was_seen() -> None:
    first = [1, 0, 1, 0, 1]
    once = [(joint(ll=1), 1), (joint(dd=1), 1), (joint(ww=1), 1)]
    growing = Observations((1, 0, 1, 0, 1), PAIR_SCORES)
    assert sequential_tables(first, once, 0, True) == ((growing, 1.0),)
    assert (
        sequential_tables(first, once, 3, True)
        == sequential_tables(first, once, 4, True)
        == ((growing, 0.8),)
    )
    assert sequential_tables(first, once, 4, False) == ()
    again = [(joint(ll=1, dd=1), 1), (joint(dd=1), 1), (joint(ww=1), 1)]
    assert sequential_tables(first, again, 0, True) == ((growing, 1.0),)
    assert sequential_tables(first, again, 4, True) == ((growing, 0.8),)
    (frozen, share), (means, rest) = sequential_tables(first, again, 3, True)
    assert (frozen, share) == (growing, 0.8)
    assert rest == pytest.approx(0.2)
    assert {s: n for s, n in zip(means.scores, means.counts, strict=True) if n} == {
        0.25: 1,
        0.5: 1,
        1.0: 1,
    }
    assert sequential_tables(first, again, 3, False) == ((means, 1.0),)
