"""The band of a matrix, and the votes of tasks."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats.band import Band, band_of, votes
from arena.stats.spans import Span


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
