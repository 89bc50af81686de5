"""Answers from limits: the best, the best K and the order, with ties and without."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.ranking import RankingAnswer, answer, statements


def known(values: list[float], error: float, margin: float, top: int | None) -> RankingAnswer:
    """Answer by limits that lie above the true differences by an error."""
    result = np.array(values)
    upper = result[:, None] - result[None, :] + error
    return answer(upper, values, margin, top, range(len(values)))


def test_the_best_are_named_once_the_errors_are_small() -> None:
    for values in permutations((0.2, 0.4, 0.6, 0.8)):
        for top in (1, 2, 3):
            result = known(list(values), 0.1, 0.02, top)
            best = sorted(range(4), key=lambda i: -values[i])
            assert result.groups == (tuple(sorted(best[:top])), (), tuple(sorted(best[top:])))
            assert result.is_decided


def test_the_order_is_told_group_by_group() -> None:
    result = known([0.5, 0.8, 0.505, 0.2], 0.01, 0.02, None)
    assert result.groups == ((1,), (0, 2), (3,))
    assert result.is_decided


def test_the_best_is_named_once_nobody_is_better_by_more_than_the_margin() -> None:
    values = [0.6, 0.605, 0.2]
    result = known(values, 0.024, 0.02, 1)
    assert result.groups == ((1,), (0,), (2,))
    assert result.is_decided
    result = known(values, 0.026, 0.02, 1)
    assert result.groups == ((), (0, 1), (2,))
    assert result.unsettled.tolist() == [[False, True, False], [False] * 3, [False] * 3]


def test_the_order_is_told_once_a_group_differs_by_no_more_than_the_margin() -> None:
    values = [0.6, 0.605, 0.2]
    assert known(values, 0.01, 0.02, None).is_decided
    assert not known(values, 0.02, 0.02, None).is_decided


@pytest.mark.slow
@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=6),
    st.floats(0, 0.5),
    st.data(),
)
def test_who_is_named_is_worse_than_nobody_by_more_than_the_margin(
    values: list[float], margin: float, data: st.DataObject
) -> None:
    top = data.draw(st.integers(1, len(values) - 1))
    errors = st.floats(0, 1)
    upper = np.array([[a - b + data.draw(errors) for b in values] for a in values])
    estimates = [data.draw(st.floats(0, 1)) for _ in values]
    result = answer(upper, estimates, margin, top, range(len(values)))
    if result.is_decided:
        named, *others = result.groups
        assert len(named) == top
        rest = [values[k] for group in others for k in group]
        assert max(rest) <= min(values[i] for i in named) + margin + 1e-9


def test_nobody_is_told_apart_by_wide_limits() -> None:
    for top in (1, 2, None):
        result = known([0.2, 0.5, 0.8], 2.0, 0.02, top)
        assert not result.is_decided
        assert [len(group) for group in result.groups if group] == [3]


def test_a_chain_of_ties_is_one_group_although_its_ends_are_told_apart() -> None:
    result = known([0.53, 0.515, 0.5], 0.016, 0.05, None)
    assert result.groups == ((0, 1, 2),)
    assert not result.unsettled.any()


def test_who_left_the_field_is_in_no_answer() -> None:
    upper = np.array([[0.1, -0.5, -0.5], [0.7, 0.1, -0.1], [0.7, 0.3, 0.1]])
    values = [0.2, 0.8, 0.9]
    assert answer(upper, values, 0.02, 1, [0, 1]).groups == ((1,), (), (0,))
    assert answer(upper, values, 0.02, None, [0, 1]).groups == ((1,), (0,))


@pytest.mark.parametrize(("top", "number"), [(1, 11), (3, 27), (None, 132)])
def test_the_whole_order_takes_more_statements_than_the_best(top: int | None, number: int) -> None:
    assert statements(12, top) == number
