"""Nash averaging and maximal lotteries, and their spans over bands."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.arrays import Floats
from arena.stats.equilibrium import (
    against_tasks,
    equilibrium_of,
    intervals_of,
    task_intervals,
)
from tests.stats.matrices import (
    NEAR,
    ROCK_PAPER_SCISSORS,
    Between,
    antisymmetric,
    bands,
    drawn,
    transitive,
)

pytestmark = pytest.mark.needs("highspy")


def vertices(payoffs: Floats) -> list[Floats]:
    """Return the corners of the set of equilibria, by solving all square systems."""
    number = len(payoffs)
    results = []
    for zero in product((False, True), repeat=number):
        for tight in product((False, True), repeat=number):
            rows = [np.ones(number)]
            rows += [np.eye(number)[i] for i in range(number) if zero[i]]
            rows += [payoffs[i] for i in range(number) if tight[i]]
            system = np.array(rows)
            if np.linalg.matrix_rank(system, 1e-9) < number:
                continue
            right = np.zeros(len(rows))
            right[0] = 1
            weights = np.linalg.lstsq(system, right, rcond=None)[0].astype(np.float64)
            is_kept = np.abs(system @ weights - right).max() < 1e-9
            if is_kept and weights.min() > -1e-9 and (payoffs @ weights).max() < 1e-9:
                results.append(weights)
    return results


def entropy_slope(weights: Floats, other: Floats) -> float:
    """Return how the entropy changes first from some weights towards others."""
    inner = weights > 1e-9
    if (other[~inner] > NEAR).any():
        return np.inf
    return float(-(np.log(weights[inner]) @ (other - weights)[inner]))


@given(bands(most=4))
def test_of_all_equilibria_the_one_of_greatest_entropy_comes_back(between: Between) -> None:
    result = equilibrium_of(between.margins)
    assert result.weights.sum() == pytest.approx(1)
    assert result.weights.min() >= 0
    assert result.payoffs.max() <= 1e-9
    corners = vertices(between.margins)
    assert corners
    assert max(entropy_slope(result.weights, corner) for corner in corners) <= 1e-4


def test_the_examples_of_the_paper() -> None:
    """A copy of a player shares its weight, and so changes nothing for the others."""
    cyclic = antisymmetric(np.array([[0, 4.6, -4.6], [0, 0, 4.6], [0, 0, 0]]))
    assert equilibrium_of(cyclic).weights == pytest.approx([1 / 3] * 3)
    copied = cyclic[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    assert equilibrium_of(copied).weights == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-6)
    assert equilibrium_of(np.zeros((5, 5))).weights == pytest.approx([0.2] * 5)


def test_the_figures_of_openspiel() -> None:
    """Those of its tests of Nash averaging and of maximal lotteries."""
    dominated = np.array(
        [[0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]], float
    )
    assert equilibrium_of(dominated).weights == pytest.approx([0, 0, 0, 1])
    losing = equilibrium_of(np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]))
    assert losing.weights == pytest.approx([0, 0, 1])
    assert losing.payoffs == pytest.approx([-1, -1, 0])
    lottery = equilibrium_of(np.array([[0.0, 1, 3], [-1, 0, 1], [-3, -1, 0]])).weights
    assert lottery == pytest.approx([1, 0, 0])
    tasks = np.outer([0, 1, 2, 3], [1.0, 10, 100])
    assert against_tasks(tasks).agents == pytest.approx([0, 0, 0, 1])
    twice = against_tasks(np.outer([0, 1, 2, 3, 3], [1.0, 10, 100]))
    assert twice.agents == pytest.approx([0, 0, 0, 0.5, 0.5], abs=1e-6)
    assert twice.payoffs == pytest.approx([0, 1, 2, 3, 3], abs=1e-6)


def test_the_spans_of_three_in_a_circle_are_exact() -> None:
    """The weight of one is the margin between the others, over the sum of all margins."""
    spans = intervals_of(ROCK_PAPER_SCISSORS.low, ROCK_PAPER_SCISSORS.high)
    assert spans.weights.low == pytest.approx([0.2 / (0.2 + 0.4 + 0.4)] * 3)
    assert spans.weights.high == pytest.approx([0.4 / (0.4 + 0.2 + 0.2)] * 3)
    assert spans.payoffs.low == pytest.approx([0] * 3, abs=NEAR)
    assert not spans.weights.above


def test_sure_wins_over_all_give_all_the_weight() -> None:
    between = transitive(4)
    assert equilibrium_of(between.margins).weights.tolist() == [1, 0, 0, 0]
    spans = intervals_of(between.low, between.high)
    assert spans.weights.low == pytest.approx([1, 0, 0, 0], abs=NEAR)
    assert spans.weights.high == pytest.approx([1, 0, 0, 0], abs=NEAR)
    assert spans.payoffs.low == pytest.approx([0, -0.4, -0.4, -0.4], abs=NEAR)
    assert spans.payoffs.high == pytest.approx([0, -0.2, -0.2, -0.2], abs=NEAR)
    assert spans.weights.above == spans.payoffs.above == {(0, 1), (0, 2), (0, 3)}


def test_a_player_that_loses_to_all_others_has_no_weight_whatever_these_do() -> None:
    between = transitive(4)
    between.low[:3, :3], between.high[:3, :3] = -0.1, 0.1
    spans = intervals_of(between.low, between.high)
    assert spans.weights.high == pytest.approx([1, 1, 1, 0], abs=NEAR)
    assert spans.payoffs.above == {(0, 3), (1, 3), (2, 3)}


@given(bands(), st.integers(0, 10**6))
def test_every_matrix_in_a_band_has_its_answers_within_the_spans(
    between: Between, seed: int
) -> None:
    spans = intervals_of(between.low, between.high)
    rng = np.random.default_rng(seed)
    for margins in [between.margins, *(drawn(between, rng) for _ in range(8))]:
        result = equilibrium_of(margins)
        for values, part in ((result.weights, spans.weights), (result.payoffs, spans.payoffs)):
            assert (part.low - NEAR <= values).all()
            assert (values <= part.high + NEAR).all()
            assert all(values[i] > values[j] for i, j in part.above)


@given(bands())
def test_the_order_of_players_does_not_matter(between: Between) -> None:
    order = np.random.default_rng(len(between.low)).permutation(len(between.low))
    swapped = np.ix_(order, order)
    ours = intervals_of(between.low, between.high)
    other = intervals_of(between.low[swapped], between.high[swapped])
    assert other.weights.high == pytest.approx(ours.weights.high[order], abs=1e-4)
    assert other.payoffs.low == pytest.approx(ours.payoffs.low[order], abs=1e-4)
    weights = equilibrium_of(between.margins).weights[order]
    assert equilibrium_of(between.margins[swapped]).weights == pytest.approx(weights, abs=1e-4)


def test_agents_and_tasks_of_two_by_two_have_the_weights_of_the_formula() -> None:
    scores = np.array([[0.9, 0.2], [0.3, 0.7]])
    (a, b), (c, d) = scores
    result = against_tasks(scores)
    assert result.agents[0] == pytest.approx((d - c) / (a - b - c + d))
    assert result.tasks[0] == pytest.approx((d - b) / (a - b - c + d))
    assert result.payoffs == pytest.approx([(a * d - b * c) / (a - b - c + d)] * 2)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))
def test_agents_and_tasks_in_a_band_are_within_the_spans(
    agents: int, tasks: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    centre, width = rng.random((agents, tasks)), rng.choice([0.0, 0.02, 0.2]) * rng.random(tasks)
    low, high = np.maximum(centre - width, 0), np.minimum(centre + width, 1)
    spans = task_intervals(low, high)
    for _ in range(8):
        corner = np.where(rng.random(low.shape) < 0.5, low, high)
        scores = corner if rng.random() < 0.5 else low + rng.random(low.shape) * (high - low)
        result = against_tasks(scores)
        for values, part in zip(result, spans, strict=True):
            assert (part.low - NEAR <= values).all()
            assert (values <= part.high + NEAR).all()
            assert all(values[i] > values[j] for i, j in part.above)
        value = (result.agents @ scores).min()
        assert result.payoffs.max() == pytest.approx(value, abs=1e-6)
