"""The sequential test: published numbers, a second computation, and no input that breaks it."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.elo import expected_score
from arena.stats.sprt import MODELS, bounds, sprt


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


def test_the_published_bounds() -> None:
    assert (
        bounds(0.05, 0.05).upper == -bounds(0.05, 0.05).lower == pytest.approx(2.944439, abs=6e-7)
    )
    mixed = bounds(0.05, 0.10)
    assert (mixed.lower, mixed.upper) == pytest.approx((-2.251292, 2.890372), abs=6e-7)


@pytest.mark.parametrize(("model", "games"), [("logistic", 204), ("normalized", 14_256)])
def test_when_a_test_of_nothing_but_draws_stops(model: str, games: int) -> None:
    assert sprt([0, games - 1, 0], 0, 5, model=model).decision == "continue"
    assert sprt([0, games, 0], 0, 5, model=model).decision == "H0"


def by_search(counts: list[int], elo: float) -> float:
    """The best log-likelihood of games under a mean score, by searching over the draws."""
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


def test_every_small_table_of_pairs_has_an_answer() -> None:
    for counts in itertools.product((0, 1, 7), repeat=5):
        for model in MODELS:
            check(list(counts), 0, 5, model)


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


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
@settings(max_examples=50)
def test_seen_from_the_other_side_the_ratio_changes_its_sign(counts: list[int]) -> None:
    for model in MODELS:
        one = sprt(counts, -5, 10, model=model).llr
        other = sprt(counts[::-1], -10, 5, model=model).llr
        assert one is not None
        assert other is not None
        assert one == pytest.approx(-other, abs=1e-6)


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
def test_impossible_hypotheses_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(UsageError, match="must be less than"):
        sprt([1, 1, 1], elo0, elo1)
