"""Networks of results: linear equations against fractions, groups against their definition."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats.connectivity import cycles_differ, reachable, strong_groups
from arena.stats.laplacian import solve

steps = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@given(steps)
def test_groups_are_those_who_reach_each_other_and_come_before_whom_they_reach(
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


@given(steps, st.lists(st.integers(-1, 1), min_size=6, max_size=6))
def test_differences_of_numbers_agree_and_others_do_not(
    edges: list[tuple[int, int]], numbers: list[int]
) -> None:
    agreeing = [(a, b, numbers[a] - numbers[b]) for a, b in edges]
    assert not cycles_differ(6, agreeing)
    if agreeing:
        a, b, difference = agreeing[0]
        assert cycles_differ(6, [*agreeing, (a, b, difference + 1)])


weights = st.sampled_from([0.0, 1.0, 3.0, 1e-9, 1e15, 1e-40])


@given(st.lists(weights, min_size=10, max_size=10), st.lists(st.integers(-9, 9), min_size=5))
@settings(max_examples=200)
def test_strong_links_take_no_digits_from_weak_ones(links: list[float], flows: list[int]) -> None:
    """Against exact elimination of the grounded matrix, where all links form one network.

    The only error is the rounding of the sides, which weak links amplify.
    """
    matrix = [[0.0] * 5 for _ in range(5)]
    for (a, b), weight in zip(itertools.combinations(range(5), 2), links, strict=True):
        matrix[a][b] = matrix[b][a] = weight
    pairs = [(a, b) for a in range(5) for b in range(5) if matrix[a][b]]
    if len(strong_groups(reachable(5, pairs))) > 1:
        return
    side = [float(flow) for flow in flows[:4]]
    (found,) = solve(matrix, [[*side, -sum(side)]])
    exact = eliminated(matrix, side)
    rounding = 1e-14 * sum(map(abs, side)) / min(filter(None, links))
    for one, other in itertools.combinations(range(5), 2):
        true = float(exact[one] - exact[other])
        assert found[one] - found[other] == pytest.approx(true, abs=rounding)


def eliminated(matrix: list[list[float]], side: list[float]) -> list[Fraction]:
    """With the last of five numbers zero."""
    rows = [[-Fraction(weight) for weight in row[:4]] for row in matrix[:4]]
    for i in range(4):
        rows[i][i] = sum(map(Fraction, matrix[i]), Fraction(0))
    sides = [Fraction(x) for x in side]
    for k in range(4):
        for i in range(4):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
                sides[i] -= factor * sides[k]
    return [*(x / rows[k][k] for k, x in enumerate(sides)), Fraction(0)]


def test_parts_that_are_not_linked_are_solved_apart() -> None:
    matrix = [[0.0, 2.0, 0, 0], [2.0, 0, 0, 0], [0, 0, 0, 4.0], [0, 0, 4.0, 0]]
    assert solve(matrix, [[1, -1, 2, -2]]) == [[0.5, 0, 0.5, 0]]
