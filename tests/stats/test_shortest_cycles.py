"""Cycles of players that beat each other, against a search of all of them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.shortest_cycles import shortest_cycles

WINS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda two: two[0] < two[1]),
    st.floats(-0.5, 0.5).filter(lambda margin: abs(margin) > 0.01),
)


def every_cycle(margins: dict[tuple[int, int], float]) -> list[tuple[int, ...]]:
    return [
        players
        for size in range(2, 7)
        for players in permutations(range(6), size)
        if players[0] == min(players)
        and all(two in margins for two in zip(players, players[1:] + players[:1], strict=True))
    ]


@pytest.mark.slow
@given(WINS)
def test_each_group_has_a_shortest_cycle(signed: dict[tuple[int, int], float]) -> None:
    margins = {(a, b) if size > 0 else (b, a): abs(size) for (a, b), size in signed.items()}
    every = every_cycle(margins)
    result = shortest_cycles(6, margins)
    assert {*result} <= {*every}
    for cycle in result:
        group = {player for other in every if {*other} & {*cycle} for player in other}
        together = [other for other in every if {*other} <= group and {*other} & {*cycle}]
        assert len(cycle) == min(len(other) for other in together if {*other} <= group)
    assert bool(every) == bool(result)
    named = [player for cycle in result for player in cycle]
    assert len(named) == len({*named})


def test_of_cycles_as_short_the_one_with_the_clearest_results_comes_back() -> None:
    margins = {(0, 1): 0.1, (1, 2): 0.4, (2, 0): 0.4, (1, 3): 0.3, (3, 0): 0.3}
    margins |= {(2, 3): 0.4, (3, 4): 0.4, (4, 2): 0.2}
    assert shortest_cycles(5, margins) == [(2, 3, 4)]
