"""Every public function of a table answers for every table, or says why not.

Tables of :mod:`arena.stats.bradley_terry` are in its own test module.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats import grid
from arena.stats.elo import (
    Estimate,
    elo_estimate,
    likelihood_of_superiority,
    nelo_estimate,
)
from arena.stats.interval import score_interval
from arena.stats.plan import expected_test, pairs_for_error
from arena.stats.sprt import MODELS, sprt

HUGE = 10**15


def small() -> Iterator[tuple[int, ...]]:
    yield from itertools.product(range(5), repeat=3)
    yield from itertools.product(range(3), repeat=5)


def extreme() -> Iterator[tuple[int, ...]]:
    """One cell is huge, and the others are none or one; for other numbers of cells too."""
    for cells in (2, 3, 5, 9):
        for place in range(cells):
            for others in itertools.product((0, 1), repeat=min(cells, 5) - 1):
                counts = [*others, *[0] * (cells - 1 - len(others))]
                yield (*counts[:place], HUGE, *counts[place:])


def check(counts: Sequence[int]) -> None:
    total, mean, variance = grid.moments(counts)
    assert total == pytest.approx(sum(counts))
    assert 0 <= mean <= 1
    assert 0 <= variance <= 0.25 + 1e-9
    estimates = [elo_estimate(counts)]
    if len(counts) in (3, 5):
        estimates.append(nelo_estimate(counts))
    for estimate in estimates:
        check_estimate(estimate)
    superior = likelihood_of_superiority(counts)
    assert 0 <= superior <= 1 if superior is not None else not any(counts)
    interval = score_interval(counts)
    assert 0 <= interval[0] < interval[1] <= 1 if interval else not any(counts)
    for model in MODELS if len(counts) in (3, 5) else MODELS[:1]:
        for elo0, elo1 in ((0, 5), (-300, 2000), (-4000, 4000)):
            test = sprt(counts, elo0, elo1, model=model)
            assert math.isfinite(test.llr) if test.llr is not None else test.reason
    plan = expected_test(0, 10, 5, variance)
    assert math.isfinite(plan.observations) if plan.observations is not None else plan.reason
    needed = pairs_for_error(10, variance)
    assert needed.number or needed.reason


def check_estimate(estimate: Estimate) -> None:
    assert estimate.reason or None not in (estimate.value, estimate.error)
    for number in (estimate.value, estimate.error):
        assert number is None or math.isfinite(number)


@pytest.mark.slow
def test_small_tables() -> None:
    for counts in small():
        check(counts)


@pytest.mark.slow
def test_extreme_tables() -> None:
    for counts in extreme():
        check(counts)


counts = st.one_of(st.integers(0, 3), st.integers(0, HUGE))


@pytest.mark.slow
@given(st.lists(counts, min_size=2, max_size=9))
def test_any_table(table: list[int]) -> None:
    check(table)


@pytest.mark.parametrize(
    "table", [[], [3], [1, -1, 2], [1, math.nan, 2], [1, math.inf, 2], [10**400, 0, 0]]
)
def test_what_is_no_table_is_refused(table: list[int]) -> None:
    for function in (
        grid.scores,
        grid.moments,
        elo_estimate,
        likelihood_of_superiority,
        score_interval,
    ):
        with pytest.raises(UsageError):
            function(table)
