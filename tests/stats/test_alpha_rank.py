"""Alpha-rank, as OpenSpiel has it, and its spans over bands."""

from __future__ import annotations

import sys
from math import exp, fsum
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.arrays import Floats
from arena.stats.alpha_rank import (
    INTENSITY,
    POPULATION,
    alpha_rank,
    alpha_rank_spans,
    taken_over,
)
from arena.stats.polytope import Constraint, Polytope
from tests.stats.matrices import NEAR, ROCK_PAPER_SCISSORS, Between, bands, drawn, transitive


def chain_of(scores: Floats, population: int = POPULATION, alpha: float = INTENSITY) -> Floats:
    """Return the chain by the sum over a birth-and-death process, as the paper has it."""
    number = len(scores)
    chain = np.zeros((number, number))
    for i in range(number):
        for j in range(number):
            if i != j:
                step = min(600 / population, alpha * (scores[j, i] - scores[i, j]))
                step = max(-600 / population, step)
                odds = fsum(exp(-step * members) for members in range(population))
                chain[i, j] = 1 / odds / (number - 1)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    return chain


@pytest.mark.slow
@given(bands())
def test_the_shares_are_stationary(between: Between) -> None:
    shares = alpha_rank(between.margins + 0.5, 10, 20.0)
    assert shares.sum() == pytest.approx(1)
    assert shares @ chain_of(between.margins + 0.5, 10, 20.0) == pytest.approx(shares, abs=1e-9)


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """OpenSpiel's alpha-rank, without the module that draws: it takes other libraries."""
    name = "open_spiel.python.egt.alpharank_visualizer"
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    from open_spiel.python.egt import alpharank

    return alpharank


@pytest.mark.needs("open_spiel")
@pytest.mark.filterwarnings("ignore:overflow")
def test_openspiel_has_the_same_shares(theirs: Any) -> None:
    rng = np.random.default_rng(1)
    compared = 0
    for number in (2, 3, 5, 9):
        for size in (0.001, 0.01, 0.1, 0.4):
            for alpha in (1.0, 100.0):
                upper = np.triu(np.clip(rng.normal(0, size, (number, number)), -0.5, 0.5), 1)
                scores = 0.5 + upper - upper.T
                _, _, shares, _, _ = theirs.compute([scores], m=POPULATION, alpha=alpha)
                assert alpha_rank(scores, alpha=alpha) == pytest.approx(shares, abs=1e-9)
                compared += 1
    assert compared == 32


def test_a_player_that_beats_all_has_all_the_time() -> None:
    assert alpha_rank(transitive(4).margins + 0.5).tolist() == [1, 0, 0, 0]
    spans = alpha_rank_spans(transitive(4).low + 0.5, transitive(4).high + 0.5)
    assert spans.low == pytest.approx([1, 0, 0, 0], abs=NEAR)
    assert spans.high == pytest.approx([1, 0, 0, 0], abs=NEAR)
    assert {(0, 1), (0, 2), (0, 3)} <= spans.above


def test_three_in_a_circle_share_the_time() -> None:
    assert alpha_rank(ROCK_PAPER_SCISSORS.margins + 0.5) == pytest.approx([1 / 3] * 3)


def test_chances_do_not_overflow() -> None:
    chances = taken_over(np.array([0.0, 0.25, 0.5, 0.75, 1.0]), 1000, 1e6)
    assert chances == pytest.approx([0, 0, 1 / 1000, 1, 1])
    assert (np.diff(taken_over(np.linspace(0, 1, 101))) >= 0).all()


@pytest.mark.slow
@given(bands(), st.integers(0, 10**6))
def test_every_matrix_in_a_band_has_its_shares_within(between: Between, seed: int) -> None:
    spans = alpha_rank_spans(between.low + 0.5, between.high + 0.5)
    rng = np.random.default_rng(seed)
    for margins in [between.margins, *(drawn(between, rng) for _ in range(8))]:
        shares = alpha_rank(margins + 0.5)
        assert (spans.low - NEAR <= shares).all()
        assert (shares <= spans.high + NEAR).all()
        assert all(shares[i] > shares[j] for i, j in spans.above)


@pytest.mark.slow
@given(bands())
def test_the_order_of_players_does_not_matter(between: Between) -> None:
    order = np.random.default_rng(len(between.low)).permutation(len(between.low))
    ours = alpha_rank_spans(between.low + 0.5, between.high + 0.5)
    swapped = np.ix_(order, order)
    other = alpha_rank_spans(between.low[swapped] + 0.5, between.high[swapped] + 0.5)
    assert other.low == pytest.approx(ours.low[order], abs=1e-4)
    assert other.high == pytest.approx(ours.high[order], abs=1e-4)
    shares = alpha_rank(between.margins + 0.5)[order]
    assert alpha_rank(between.margins[swapped] + 0.5) == pytest.approx(shares, abs=1e-9)


def test_a_band_without_a_width_has_spans_without_one() -> None:
    scores = ROCK_PAPER_SCISSORS.margins / 10 + 0.5
    spans = alpha_rank_spans(scores, scores)
    assert spans.low == pytest.approx([1 / 3] * 3, abs=NEAR)
    assert spans.high == pytest.approx([1 / 3] * 3, abs=NEAR)


def flows(low: Floats, high: Floats, alpha: float) -> Polytope:
    """Return the shares and the flows between players, which are as much in as out."""
    number = len(low)
    least, most = taken_over(low, alpha=alpha).T, taken_over(high, alpha=alpha).T
    steps = [(i, j) for i in range(number) for j in range(number) if i != j]
    rows = [Constraint(np.arange(number), np.ones(number), 1, 1)]
    for place, (i, j) in enumerate(steps, start=number):
        rows.append(Constraint([i, place], [most[i, j], -1], 0, np.inf))
        rows.append(Constraint([i, place], [least[i, j], -1], -np.inf, 0))
    for player in range(number):
        signs = [float(j == player) - float(i == player) for i, j in steps]
        rows.append(Constraint(number + np.arange(len(steps)), signs, 0, 0))
    size = number + len(steps)
    return Polytope(np.zeros(size), np.ones(size), rows)


@pytest.mark.needs("highspy")
@given(bands())
def test_linear_programs_of_the_flows_have_the_same_spans(between: Between) -> None:
    """At an intensity at which their coefficients are of one order of magnitude."""
    low, high = between.low + 0.5, between.high + 0.5
    polytope = flows(low, high, 0.1)
    theirs = polytope.spans(range(len(low)))
    ours = alpha_rank_spans(low, high, alpha=0.1)
    assert ours.low == pytest.approx(theirs.low, abs=NEAR)
    assert ours.high == pytest.approx(theirs.high, abs=NEAR)
    if np.abs(between.high - between.low).max() > 0:
        assert ours.above == theirs.above


def test_one_player_has_all_the_time() -> None:
    one = np.array([[0.5]])
    assert alpha_rank(one).tolist() == [1]
    assert alpha_rank_spans(one, one).low.tolist() == [1]
