"""Ranked pairs, as OpenSpiel has them, and the orders that bands leave open."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.arrays import Floats
from arena.stats.ranked_pairs import rank_spans, ranked_pairs, surely_above
from tests.stats.matrices import ROCK_PAPER_SCISSORS, Between, antisymmetric, bands, drawn

#: An order of the alternatives, and the number of voters that have it.
Votes = list[tuple[int, str]]

#: The elections of OpenSpiel's tests, two of them from Wikipedia, and who comes first.
ELECTIONS: dict[str, Votes] = {
    "wxyz": [(7, "wxzy"), (2, "wyxz"), (4, "xyzw"), (5, "xzwy"), (1, "ywxz"), (8, "yzwx")],
    "NCKM": [(42, "MNCK"), (26, "NCKM"), (15, "CKNM"), (17, "KCNM")],
    "CAB": [(1, "ABC"), (1, "ACB"), (2, "CAB"), (1, "BCA")],
}


def margins_of(names: str, votes: Votes) -> Floats:
    margins = np.zeros((len(names), len(names)))
    for number, order in votes:
        for i, j in permutations(range(len(names)), 2):
            margins[i, j] += number if order.index(names[i]) < order.index(names[j]) else -number
    return margins


@pytest.mark.parametrize("expected", ELECTIONS)
def test_elections_end_as_in_openspiel(expected: str) -> None:
    names = "".join(sorted(expected))
    ranks = ranked_pairs(margins_of(names, ELECTIONS[expected]))
    assert "".join(sorted(names, key=lambda name: ranks[names.index(name)])) == expected


def their_profile(margins: Any) -> Any:
    from open_spiel.python.voting import base

    profile = base.PreferenceProfile(alternatives=[*range(len(margins))])
    for i, j in np.argwhere(margins > 0).tolist():
        profile.add_vote([i, j], weight=int(margins[i, j]))
    return profile


@pytest.mark.needs("open_spiel")
def test_openspiel_ranks_the_same() -> None:
    from open_spiel.python.voting.ranked_pairs import RankedPairsVoting

    rng = np.random.default_rng(1)
    for number in (2, 3, 4, 6, 8):
        for _ in range(10):
            sizes = rng.permutation(np.arange(1, number * number + 1)).reshape(number, number)
            margins = antisymmetric(sizes * rng.choice([-1.0, 1.0], (number, number)))
            order = RankedPairsVoting().run_election(their_profile(margins)).ranking
            assert sorted(range(number), key=ranked_pairs(margins).__getitem__) == order


@pytest.mark.needs("open_spiel")
def test_where_no_circle_is_soft_condorcet_optimisation_ranks_the_same() -> None:
    from open_spiel.python.voting.soft_condorcet_optimization import SoftCondorcetOptimizer

    margins = antisymmetric(np.add.outer(-np.arange(4), np.arange(4)).astype(float))
    optimizer = SoftCondorcetOptimizer(
        their_profile(margins), rating_upper_bound=100, temperature=10
    )
    _, order = optimizer.run_solver(300, learning_rate=20)
    assert [int(name) for name in order] == [0, 1, 2, 3]
    assert ranked_pairs(margins) == (1, 2, 3, 4)


def test_equal_margins_close_no_circle_by_the_order_of_players() -> None:
    assert ranked_pairs(ROCK_PAPER_SCISSORS.margins) == (1, 1, 1)
    assert ranked_pairs(np.zeros((3, 3))) == (1, 1, 1)
    below = np.pad(ROCK_PAPER_SCISSORS.margins, (0, 1))
    below[:3, 3], below[3, :3] = 0.3, -0.3
    assert ranked_pairs(below) == (1, 1, 1, 4)


@pytest.mark.slow
@given(bands(most=6), st.integers(0, 10**6))
def test_every_matrix_in_a_band_keeps_the_orders_that_are_sure(between: Between, seed: int) -> None:
    above = surely_above(between.low, between.high)
    spans = rank_spans(len(between.low), above)
    rng = np.random.default_rng(seed)
    for margins in [between.margins, *(drawn(between, rng) for _ in range(20))]:
        ranks = ranked_pairs(margins)
        assert all(ranks[i] < ranks[j] for i, j in above)
        assert all(low <= rank <= high for rank, (low, high) in zip(ranks, spans, strict=True))


@pytest.mark.slow
@given(bands())
def test_without_a_band_all_orders_of_different_margins_are_sure(between: Between) -> None:
    sizes = np.abs(between.margins[np.triu_indices(len(between.margins), 1)])
    if len({*sizes.round(6)}) < len(sizes) or not sizes.min() > 1e-6:
        return
    above = surely_above(between.margins, between.margins)
    ranks = ranked_pairs(between.margins)
    assert above == {(i, j) for i, j in permutations(range(len(ranks)), 2) if ranks[i] < ranks[j]}


@pytest.mark.slow
@given(bands())
def test_the_order_of_players_does_not_matter(between: Between) -> None:
    order = np.random.default_rng(len(between.low)).permutation(len(between.low))
    ranks = ranked_pairs(between.margins)
    assert ranked_pairs(between.margins[np.ix_(order, order)]) == tuple(ranks[i] for i in order)


def test_those_that_surely_beat_all_others_are_above_whatever_these_do() -> None:
    low, high = np.full((4, 4), -0.5), np.full((4, 4), 0.5)
    np.fill_diagonal(low, 0)
    np.fill_diagonal(high, 0)
    low[:2, 2:], high[2:, :2] = 0.01, -0.01
    above = surely_above(low, high)
    assert above == {(0, 2), (0, 3), (1, 2), (1, 3)}
    assert rank_spans(4, above) == [(1, 2), (1, 2), (3, 4), (3, 4)]
