"""The band of a matrix: how often it is wrong, and the votes of tasks."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.band import Band, Span, band_of, mean_span, votes
from arena.stats.differences import mean_of
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.ranks import critical_value


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


def test_what_was_not_played_is_from_nothing_to_all() -> None:
    band = band_of(3, {(0, 1): Span(0.8, 0.7, 0.9)})
    assert (band.score[1, 0], band.low[1, 0], band.high[1, 0]) == pytest.approx((0.2, 0.1, 0.3))
    assert (band.score[0, 2], band.low[0, 2], band.high[0, 2]) == (0.5, 0, 1)
    assert np.diag(band.low).tolist() == np.diag(band.high).tolist() == [0.5] * 3
    assert band.score + band.score.T == pytest.approx(np.ones((3, 3)))
    assert band.low + band.high.T == pytest.approx(np.ones((3, 3)))


def test_a_task_votes_surely_where_two_intervals_are_disjoint() -> None:
    score = np.array([[0.9, 0.6, 0.5], [0.1, 0.5, 0.5]])
    shares = votes(Band(score, score - 0.1, score + 0.1))
    assert shares.score[0, 1] == pytest.approx((1 + 1 + 0.5) / 3)
    assert (shares.low[0, 1], shares.high[0, 1]) == pytest.approx((1 / 3, 1))
    assert (shares.low[1, 0], shares.high[1, 0]) == pytest.approx((0, 2 / 3))


def test_every_matrix_of_scores_in_a_band_has_its_votes_within() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        score = rng.random((4, 3))
        width = rng.random((4, 3)) * 0.3
        band = votes(Band(score, score - width, score + width))
        for _ in range(10):
            other = score + width * rng.uniform(-1, 1, (4, 3))
            shares = votes(Band(other, other, other)).score
            assert (band.low - 1e-12 <= shares).all()
            assert (shares <= band.high + 1e-12).all()
