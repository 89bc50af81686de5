"""Estimates after a stop: whether they hold, and what they do to the plain ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.elo import expected_score
from arena.stats.interval import score_interval
from arena.stats.sequential_estimate import StopEstimate, estimate
from arena.stats.sprt import LlrBounds, SprtDesign, bounds, sprt
from arena.stats.sprt_simulation import _ratios
from tests.golden import Wording

#: Laws of pairs, tilted to a mean before use.
BALANCED = (0.05, 0.25, 0.40, 0.25, 0.05)
NEARLY_DRAWN = (0.0005, 0.01, 0.979, 0.01, 0.0005)


def tilted(law: Sequence[float], mean: float) -> list[float]:
    scores = np.arange(5) / 4
    low, high = -50.0, 50.0
    chances = np.array(law)
    for _ in range(100):
        middle = (low + high) / 2
        chances = np.array(law) * np.exp(middle * scores)
        chances /= chances.sum()
        low, high = (middle, high) if chances @ scores < mean else (low, middle)
    return [float(chance) for chance in chances]


def stopped_test(
    law: Sequence[float], elo0: float, elo1: float, most: int, rng: np.random.Generator
) -> tuple[list[int], str]:
    """Play pairs of this law, with a look after every ten."""
    counts = np.zeros(5, dtype=int)
    for _ in range(most // 10):
        counts += rng.multinomial(10, law)
        test = sprt(counts.tolist(), elo0, elo1)
        if test.decision != "continue":
            break
    return counts.tolist(), test.decision


def design(elo0: float, elo1: float) -> SprtDesign:
    return SprtDesign(expected_score(elo0), expected_score(elo1), bounds(), 10)


#: A law, both hypotheses, the true Elo, and how many tests are played.
HOLDING = [
    (BALANCED, 0, 30, 15, 150),
    pytest.param(BALANCED, 0, 30, 0, 150, marks=pytest.mark.slow),
    (BALANCED, 0, 100, 100, 100),
    (NEARLY_DRAWN, 0, 10, 0, 100),
    pytest.param(NEARLY_DRAWN, 0, 30, 0, 100, marks=pytest.mark.slow),
    pytest.param(BALANCED, 0, 10, 160, 60, marks=pytest.mark.slow),
    (NEARLY_DRAWN, 0, 10, -80, 60),
]


@pytest.mark.slow
@pytest.mark.parametrize(("law", "elo0", "elo1", "elo", "tests"), HOLDING)
def test_the_interval_covers_and_the_estimate_is_median_unbiased(
    law: Sequence[float], elo0: float, elo1: float, elo: float, tests: int
) -> None:
    rng = np.random.default_rng(5)
    truth = expected_score(elo)
    results = []
    for _ in range(tests):
        counts, decision = stopped_test(tilted(law, truth), elo0, elo1, 3000, rng)
        results.append(estimate(counts, decision, design(elo0, elo1)))
    assert np.mean([one.low <= truth <= one.high for one in results]) >= 0.9
    margin = max((expected_score(elo1) - expected_score(elo0)) / 4, 0.01)
    assert np.median([one.mean for one in results]) == pytest.approx(truth, abs=margin)
    if elo == 0:
        assert np.mean([one.superiority > 0.99 for one in results]) <= 0.04


def test_an_accepted_test_is_moved_towards_the_middle() -> None:
    counts = [20, 130, 420, 200, 30]
    plain = sum(c * i / 4 for i, c in enumerate(counts)) / sum(counts)
    estimated = estimate(counts, "H1", design(0, 10))
    interval = score_interval(counts)
    assert interval is not None
    assert 0.5 < estimated.mean < plain
    assert estimated.low < interval[0]
    assert estimated.low < estimated.mean < estimated.high


tables = st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any)
decisions = st.sampled_from(["H0", "continue", "H1"])


def check(estimate: StopEstimate) -> None:
    assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1
    assert 0 <= estimate.superiority <= 1


@pytest.mark.slow
@given(tables, decisions)
@settings(max_examples=40)
def test_every_table_has_an_estimate(counts: list[int], decision: str) -> None:
    check(estimate(counts, decision, design(-5, 15)))


@pytest.mark.slow
@pytest.mark.parametrize("elo", [-20, 0, 15, 60])
def test_the_other_player_s_view_is_the_mirror(elo: float) -> None:
    """Up to the luck of those that are simulated."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        law = tilted(BALANCED, expected_score(elo))
        counts, decision = stopped_test(law, -5, 15, 1000, rng)
        other = {"H0": "H1", "H1": "H0", "continue": "continue"}[decision]
        one = estimate(counts, decision, design(-5, 15))
        mirrored = estimate(counts[::-1], other, design(-15, 5))
        assert (mirrored.low, mirrored.mean, mirrored.high) == pytest.approx(
            (1 - one.high, 1 - one.mean, 1 - one.low), abs=0.012
        )
        assert one.superiority + mirrored.superiority == pytest.approx(1, abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("counts", [[2, 8, 20, 24, 16], [5, 20, 60, 50, 15]])
def test_the_scale_of_the_observations_may_be_any(counts: list[int]) -> None:
    """Differences from -4 to 4 are the same table as scores from 0 to 1."""
    whole = [count for pair in zip(counts, [0] * 5, strict=True) for count in pair][:-1]
    one = estimate(whole, "H1", SprtDesign(0.47, 0.5, bounds(), 10))
    differences = [float(i) for i in range(-4, 5)]
    other = estimate(
        whole, "H1", SprtDesign(-0.24, 0.0, bounds(), 10), scores=differences, level=0.0
    )
    assert (other.low, other.mean, other.high) == pytest.approx(
        (8 * one.low - 4, 8 * one.mean - 4, 8 * one.high - 4), abs=1e-6
    )
    assert one.superiority == pytest.approx(other.superiority, abs=1e-9)


def test_the_formula_and_the_simulation_agree_where_they_meet() -> None:
    """At nine looks a test is simulated, and at ten not."""
    simulated, formula = (
        estimate(counts, "continue", design(0, 50))
        for counts in ([6, 18, 37, 21, 8], [6, 18, 37, 22, 8])
    )
    for field in ("low", "mean", "high"):
        assert getattr(formula, field) == pytest.approx(getattr(simulated, field), abs=0.012)


@pytest.mark.slow
@given(tables)
def test_the_simulated_ratio_is_that_of_the_test(counts: list[int]) -> None:
    ratios = _ratios(np.array([counts], dtype=float), np.arange(5) / 4, design(-5, 15))
    assert ratios[0] == pytest.approx(sprt(counts, -5, 15).llr, abs=1e-4)


@pytest.mark.slow
def test_a_seed_decides_the_simulation() -> None:
    def estimated(seed: int) -> StopEstimate:
        return estimate([2, 8, 20, 24, 16], "H1", design(0, 50), seed=seed)

    assert estimated(1) == estimated(1)
    assert estimated(1) != estimated(2)
    assert estimated(1).mean == pytest.approx(estimated(2).mean, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "is_simulated"), [(90, True), (91, False), (100, False)])
def test_a_test_of_ten_looks_or_more_is_not_simulated(pairs: int, is_simulated: bool) -> None:
    counts = [6, 18, 0, 22, 8]
    counts[2] = pairs - sum(counts)
    results = [estimate(counts, "continue", design(0, 50), seed=seed) for seed in (0, 1)]
    assert (results[0] != results[1]) == is_simulated
    assert results[0] == estimate(counts, "continue", design(0, 50)), "the usual seed is 0"


def test_one_won_pair_does_not_prove_who_is_stronger() -> None:
    estimated = estimate([0, 0, 0, 0, 1], "continue", design(0, 10))
    assert 0.6 < estimated.superiority < 0.9
    assert estimated.low < 0.1


def test_nothing_but_level_pairs_have_a_width() -> None:
    for pairs, decision in ((110, "H0"), (20, "continue")):
        estimated = estimate([0, 0, pairs, 0, 0], decision, design(0, 10))
        assert estimated.high - estimated.low > 0.01


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        ([0] * 5, "H1"),
        ([1] * 5, "H2"),
        ([1], "H1"),
        ([1, -1], "H1"),
    ],
)
def test_a_table_or_decision_that_is_not_one_is_refused(
    counts: list[int], decision: str, wording: Wording
) -> None:
    with wording.raises(UsageError):
        estimate(counts, decision, design(0, 10))


@pytest.mark.parametrize("scores", [[0, 1], [0, 0.5, 0.5, 0.75, 1], [1, 0.75, 0.5, 0.25, 0]])
def test_scores_that_do_not_rise_are_refused(scores: list[float]) -> None:
    with pytest.raises(UsageError, match="rising"):
        estimate([1] * 5, "H1", design(0, 10), scores=scores)


@pytest.mark.parametrize(
    ("mean0", "mean1", "limits", "batch"),
    [
        (0.5, 0.5, bounds(), 10),
        (0.6, 0.5, bounds(), 10),
        (0.5, 0.6, LlrBounds(1, 2), 10),
        (0.5, 0.6, bounds(), 0),
    ],
)
def test_a_design_that_is_not_one_is_refused(
    mean0: float, mean1: float, limits: LlrBounds, batch: int
) -> None:
    with pytest.raises(UsageError):
        SprtDesign(mean0, mean1, limits, batch)
