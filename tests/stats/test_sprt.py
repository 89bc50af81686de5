"""The sequential test: published numbers, a second computation, and no input that breaks it."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.elo import expected_score
from arena.stats.sprt import MODELS, bounds, sprt
from tests.golden import Wording


@pytest.mark.parametrize(
    ("counts", "logistic", "normalized"),
    [
        ([0, 1000, 0], -14.485, -0.202),
        ([0, 0, 1000], 14.288, 14.287),
        ([0, 100, 900], 14.288, 13.551),
        ([0, 20, 10], 0.4286, 0.2466),
        ([1, 20, 10], 0.3598, 0.2146),
    ],
)
def test_the_published_ratios_of_perfect_and_drawish_players(
    counts: list[int], logistic: float, normalized: float
) -> None:
    """With elo0 0 and elo1 5, to the digits to which they were published."""
    for model, expected in (("logistic", logistic), ("normalized", normalized)):
        digits = len(str(expected).partition(".")[2])
        assert sprt(counts, 0, 5, model=model).llr == pytest.approx(expected, abs=0.6 * 10**-digits)


def test_the_published_ratio_of_pairs_that_were_all_won() -> None:
    assert sprt([0, 0, 0, 0, 5550], 0, 5, model="normalized").llr == pytest.approx(
        111.798, abs=6e-4
    )


#: Counts, bounds, model and ratio as others print them, to the digits that they print.
#: fastchess's own tests (app/tests/sprt_test.cpp); fishtest issue 1737; fastchess under Ptnml in
#: brunocodutra/cinder, pull requests 727, 795 and 925; OpenBench in paulsonkoly/chess-3, 109.
PRINTED = [
    ((36027, 68692, 36433), (0, 2), "normalized", 0.92),
    ((10650, 20431, 10871), (-1.75, 0.25), "normalized", 2.30),
    ((21184, 40708, 21404), (0.5, 2.5), "logistic", -1.57),
    ((57030, 106593, 57433), (0, 2), "logistic", -2.59),
    ((365, 16618, 36229, 16974, 390), (0, 2), "normalized", 2.25),
    ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), "normalized", 3.01),
    ((223, 9863, 21279, 10037, 246), (0.5, 2.5), "logistic", -3.07),
    ((871, 26175, 55983, 26678, 821), (0, 2), "logistic", -4.98),
    ((93, 18711, 58877, 18739, 100), (-1.75, 0.25), "normalized", 2.94209747207),
    ((50, 287, 610, 387, 73), (0, 5), "normalized", 2.97),
    ((1447, 13972, 26437, 14412, 1441), (0, 3), "normalized", 1.98),
    ((319, 5914, 11812, 5933, 340), (-3, 1), "normalized", 2.90),
    ((4, 4, 11, 15, 3), (-5, 0), "normalized", 0.16),
]


@pytest.mark.parametrize(("counts", "elos", "model", "llr"), PRINTED)
def test_the_ratios_that_others_print(
    counts: tuple[int, ...], elos: tuple[float, float], model: str, llr: float
) -> None:
    digits = max(2, len(str(llr).partition(".")[2]))
    assert sprt(counts, *elos, model=model).llr == pytest.approx(llr, abs=0.6 * 10**-digits)


def test_the_published_bounds() -> None:
    assert (
        bounds(0.05, 0.05).upper == -bounds(0.05, 0.05).lower == pytest.approx(2.944439, abs=6e-7)
    )
    mixed = bounds(0.05, 0.10)
    assert (mixed.lower, mixed.upper) == pytest.approx((-2.251292, 2.890372), abs=6e-7)


@pytest.mark.parametrize(
    ("elo1", "model", "games"),
    [
        (5, "logistic", 204),
        (5, "normalized", 14_256),
        (10, "logistic", 102),
        (10, "normalized", 3565),
        (50, "logistic", 20),
        (50, "normalized", 145),
    ],
)
def test_when_a_test_of_nothing_but_draws_stops(elo1: float, model: str, games: int) -> None:
    assert sprt([0, games - 1, 0], 0, elo1, model=model).decision == "continue"
    assert sprt([0, games, 0], 0, elo1, model=model).decision == "H0"


def test_when_a_test_of_nothing_but_wins_stops() -> None:
    assert sprt([0, 0, 206], 0, 5).decision == "continue"
    assert sprt([0, 0, 207], 0, 5).decision == "H1"


def by_search(counts: list[int], elo: float) -> float:
    """Return the best log-likelihood of games under a mean score, by searching over the draws."""
    cells = [count or 1e-3 for count in counts]
    score = expected_score(elo)

    def likelihood(draws: float) -> float:
        chances = (1 - score - draws / 2, draws, score - draws / 2)
        if min(chances) <= 0:
            return -math.inf
        return sum(c * math.log(q) for c, q in zip(cells, chances, strict=True))

    low, high = 0.0, 2 * min(score, 1 - score)
    for _ in range(300):  # the likelihood has one maximum
        third = (high - low) / 3
        if likelihood(low + third) < likelihood(high - third):
            low += third
        else:
            high -= third
    return likelihood((low + high) / 2)


@pytest.mark.parametrize("counts", [[10, 20, 15], [0, 5, 3], [100, 0, 120], [3, 900, 2]])
def test_the_logistic_ratio_is_that_of_the_most_likely_distributions(counts: list[int]) -> None:
    expected = by_search(counts, 20) - by_search(counts, -10)
    assert sprt(counts, -10, 20).llr == pytest.approx(expected, abs=1e-6)


def by_scipy(counts: list[int], elo: float) -> float:
    """Return the best log-likelihood under a mean score, by constrained minimisation."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    cells = np.array([count or 1e-3 for count in counts])
    scores = np.linspace(0, 1, len(counts))
    score = expected_score(elo)
    start = score**scores * (1 - score) ** (1 - scores)
    optimum = minimize(
        lambda logs: -float(cells @ logs) / cells.sum(),
        np.log(start / start.sum()),
        jac=lambda logs: -cells / cells.sum(),
        constraints=[
            {"type": "eq", "fun": lambda logs: np.exp(logs).sum() - 1},
            {"type": "eq", "fun": lambda logs: scores @ np.exp(logs) - score},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert optimum.success
    return -float(optimum.fun) * float(cells.sum())


@pytest.mark.parametrize(
    "counts",
    [[30, 70], [5, 9, 2], [3, 10, 40, 20, 6], [4, 0, 60, 9, 5], [1, 2, 3, 9, 30, 8, 4, 2, 1]],
)
def test_the_logistic_ratio_of_any_number_of_cells_is_what_scipy_finds(counts: list[int]) -> None:
    expected = by_scipy(counts, 30) - by_scipy(counts, -10)
    assert sprt(counts, -10, 30).llr == pytest.approx(expected, abs=2e-5)


def test_given_scores_have_the_ratio_of_the_same_table_with_more_cells() -> None:
    """Scores may be spaced in any way; cells without results hardly count."""
    counts, scores = [4, 9, 5, 2], [0.0, 0.375, 0.75, 1.0]
    every = [4, 0, 0, 9, 0, 0, 5, 0, 2]
    for model, abs_error in (("logistic", 0.02), ("normalized", 0.02)):
        given = sprt(counts, -10, 30, model=model, scores=scores).llr
        scores_of_all = [i / 8 for i in range(9)]
        of_all = sprt(every, -10, 30, model=model, scores=scores_of_all).llr
        assert given == pytest.approx(of_all, abs=abs_error)
    assert sprt(counts, -10, 30, scores=[i / 3 for i in range(4)]) == sprt(counts, -10, 30)


def test_the_normalised_model_is_of_games_or_of_pairs(wording: Wording) -> None:
    with wording.raises(UsageError):
        sprt([1] * 9, 0, 5, model="normalized")


@pytest.mark.slow
def test_every_small_table_of_pairs_has_an_answer() -> None:
    for counts in itertools.product((0, 1, 7), repeat=5):
        for model in MODELS:
            check(list(counts), 0, 5, model)


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 10**12), min_size=3, max_size=5).filter(lambda c: len(c) != 4),
    st.floats(-4000, 4000),
    st.floats(-4000, 4000),
    st.sampled_from(MODELS),
)
@settings(max_examples=300)
def test_every_table_has_an_answer(counts: list[int], a: float, b: float, model: str) -> None:
    elo0, elo1 = sorted((a, b))
    if elo0 < elo1:
        check(counts, elo0, elo1, model)


def check(counts: list[int], elo0: float, elo1: float, model: str) -> None:
    test = sprt(counts, elo0, elo1, model=model)
    if test.llr is None:
        assert test.reason
        assert test.decision == "continue"
    else:
        assert math.isfinite(test.llr)
        high, low = test.llr >= test.upper, test.llr <= test.lower
        assert test.decision == ("H1" if high else "H0" if low else "continue")


def test_what_makes_others_hang_is_undefined() -> None:
    for elo0, elo1 in ((-1500, -500), (-600, -300)):
        test = sprt([20, 0, 0, 0, 0], elo0, elo1, model="normalized")
        assert test.llr is None or math.isfinite(test.llr)


@pytest.mark.slow
@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
@settings(max_examples=50)
def test_seen_from_the_other_side_the_ratio_changes_its_sign(counts: list[int]) -> None:
    for model in MODELS:
        one = sprt(counts, -5, 10, model=model).llr
        other = sprt(counts[::-1], -10, 5, model=model).llr
        assert one is not None
        assert other is not None
        assert one == pytest.approx(-other, abs=1e-6)


@pytest.mark.slow
def test_the_error_of_the_first_kind_is_about_what_was_asked_for() -> None:
    """Of 200 fair tests with half the games drawn, nominally 10 accept H1; 5 % has error 1.5 %."""
    rng = random.Random(3)
    wrong = 0
    for _ in range(200):
        counts, decision = [0, 0, 0, 0, 0], "continue"
        while decision == "continue":
            for _ in range(25):
                pair = rng.choices((0, 1, 2), (1, 2, 1))[0] + rng.choices((0, 1, 2), (1, 2, 1))[0]
                counts[pair] += 1
            decision = sprt(counts, 0, 50).decision
        wrong += decision == "H1"
    assert wrong <= 21


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.1), (0.1, 1), (0.6, 0.4), (math.nan, 0.1)])
def test_impossible_error_probabilities_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(UsageError, match="alpha"):
        sprt([1, 1, 1], 0, 5, alpha=alpha, beta=beta)


@pytest.mark.parametrize(
    ("elo0", "elo1"), [(5, 5), (5, 0), (0, math.inf), (math.nan, 5), (0, 5000)]
)
def test_impossible_hypotheses_are_refused(elo0: float, elo1: float, wording: Wording) -> None:
    with wording.raises(UsageError):
        sprt([1, 1, 1], elo0, elo1)
