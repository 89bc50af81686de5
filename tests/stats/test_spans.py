"""The intervals of a band: how often one of them is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.differences import mean_of
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.ranks import critical_value
from arena.stats.spans import mean_span


def test_a_win_is_sure_where_cycles_take_it_as_sure() -> None:
    z = critical_value(10)
    for wins in range(40):
        table = Observations((2, 5, 10, 5, wins), PAIR_SCORES)
        mean = mean_of(table, z * z / 2)
        span = mean_span([table], z)
        assert (span.low > 0.5) == (mean.score - 0.5 > z * mean.variance**0.5)
        assert 0 <= span.low <= span.score <= span.high <= 1


@pytest.mark.parametrize("counts", [(1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 1000, 0, 0)])
def test_the_estimate_is_within(counts: tuple[int, ...]) -> None:
    span = mean_span([Observations(counts, PAIR_SCORES)], 3.0)
    assert 0 <= span.low <= span.score <= span.high <= 1
    assert span.low < span.high


@pytest.mark.slow
def test_all_entries_together_are_wrong_in_one_of_twenty_at_most() -> None:
    rng = np.random.default_rng(3)
    entries, wrong = 10, 0
    for _ in range(400):
        cells = rng.dirichlet(np.ones(5), entries)
        tables = [
            Observations(tuple(rng.multinomial(60, cell).tolist()), PAIR_SCORES) for cell in cells
        ]
        spans = [mean_span([table], critical_value(entries)) for table in tables]
        truths = cells @ PAIR_SCORES
        wrong += any(
            not span.low <= truth <= span.high for span, truth in zip(spans, truths, strict=True)
        )
    assert wrong <= 400 * 0.05 + 2 * (400 * 0.05 * 0.95) ** 0.5


def test_the_mean_of_several_samples_is_better_known_than_each() -> None:
    table = Observations((10, 20, 40, 20, 10), PAIR_SCORES)
    one, four = mean_span([table], 2.0), mean_span([table] * 4, 2.0)
    assert one.score == four.score == 0.5
    assert four.high - four.low < 0.6 * (one.high - one.low)


def test_scores_beyond_the_ends_have_a_mean_within() -> None:
    span = mean_span([Observations((3, 4, 3), (-0.5, 0.9, 2.0))], 2.5)
    assert 0 <= span.low < span.score < span.high <= 1
