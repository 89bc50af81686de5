"""Test intervals that hold at every look, beside a computation that shares no code with them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import pytest

from arena.errors import UsageError
from arena.stats.anytime import BET_WEIGHTS, BETS, MIN_NUMPY_SCORES, anytime_interval
from arena.stats.interval import score_interval
from tests.golden import Wording

TABLES = [
    [2, 13, 42, 20, 3],
    [0, 0, 0, 0, 12],
    [0, 0, 25, 0, 0],
    [1, 0, 0, 0, 1],
    [40, 1, 0, 0, 0],
    [0, 3, 1],
]


def capital(observations: Sequence[Fraction], mean: Fraction) -> Fraction:
    """Return the capital that bets on a higher mean come to, one observation after the other."""
    total = Fraction(0)
    for bet, weight in zip(map(Fraction, BETS), map(Fraction, BET_WEIGHTS), strict=True):
        own = weight
        for x in observations:
            own *= 1 + bet * (x / mean - 1)
        total += own
    return total


@pytest.mark.parametrize("counts", TABLES, ids=str)
def test_the_ends_are_where_exact_capital_reaches_its_bound(counts: list[int]) -> None:
    cells = len(counts) - 1
    results = [Fraction(i, cells) for i, count in enumerate(counts) for _ in range(count)]
    low, high = anytime_interval(counts, alpha=0.1) or (math.nan, math.nan)
    if low > 0:
        assert float(capital(results, Fraction(low))) == pytest.approx(20, rel=1e-6)
    if high < 1:
        mirrored = [1 - x for x in results]
        assert float(capital(mirrored, 1 - Fraction(high))) == pytest.approx(20, rel=1e-6)
    assert (low, high) == (max(low, 0), min(high, 1))


def test_the_bets_share_out_one_capital() -> None:
    assert sum(BET_WEIGHTS) == pytest.approx(1)
    assert 0 < min(BETS) < max(BETS) < 1


@pytest.mark.parametrize("counts", TABLES, ids=str)
def test_the_mirrored_table_has_the_mirrored_interval(counts: list[int]) -> None:
    low, high = anytime_interval(counts) or (math.nan, math.nan)
    other = anytime_interval(counts[::-1])
    assert other == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_numpy_finds_the_same_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = [i / (MIN_NUMPY_SCORES + 2) for i in range(MIN_NUMPY_SCORES + 3)]
    counts = [1 + (7 * i) % 11 for i in range(MIN_NUMPY_SCORES + 3)]
    by_numpy = anytime_interval(counts, scores=scores)
    monkeypatch.setattr("arena.stats.anytime.MIN_NUMPY_SCORES", 1000)
    assert anytime_interval(counts, scores=scores) == pytest.approx(by_numpy, abs=1e-9)


@pytest.mark.parametrize("share", [(6, 20, 48, 20, 6), (1, 8, 82, 8, 1), (25, 0, 50, 0, 25)])
def test_it_is_less_than_twice_as_wide_as_the_interval_of_one_look(share: tuple[int, ...]) -> None:
    for factor in (1, 10, 100):
        counts = [factor * n for n in share]
        watched, plain = anytime_interval(counts), score_interval(counts)
        assert watched is not None
        assert plain is not None
        assert 1 < (watched[1] - watched[0]) / (plain[1] - plain[0]) < 1.9


def test_no_observation_no_interval() -> None:
    assert anytime_interval([0, 0, 0]) is None


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 10**15], [10**15, 1, 1, 1, 1], [1, 0], [0, 1]])
def test_tables_at_the_edge_have_an_interval(counts: list[int]) -> None:
    low, high = anytime_interval(counts) or (math.nan, math.nan)
    mean = sum(i * n for i, n in enumerate(counts)) / sum(counts) / (len(counts) - 1)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1


@pytest.mark.parametrize("alpha", [0, 1, -1, math.nan])
def test_refuse_an_error_that_cannot_be_kept(alpha: float, wording: Wording) -> None:
    with wording.raises(UsageError):
        anytime_interval([1, 2, 3], alpha=alpha)


def test_refuse_scores_beyond_one(wording: Wording) -> None:
    with wording.raises(UsageError):
        anytime_interval([1, 2], scores=[0, 2])


def looks(fights: int, pairs: int, shares: Sequence[float], seed: int) -> tuple[float, float]:
    """Return how often an interval is wrong at some look: the plain one, and this one."""
    rng, mean = random.Random(seed), sum(i / 4 * share for i, share in enumerate(shares))
    wrong = [0, 0]
    for _ in range(fights):
        drawn = rng.choices(range(5), shares, k=pairs)
        start: tuple[int, ...] = (0,) * 5
        tables = accumulate(drawn, _added, initial=start)
        seen = [table for n, table in enumerate(tables) if n and n % 10 == 0]
        for kind, result in enumerate((map(score_interval, seen), map(anytime_interval, seen))):
            wrong[kind] += any(end and not end[0] <= mean <= end[1] for end in result)
    return wrong[0] / fights, wrong[1] / fights


def _added(table: tuple[int, ...], cell: int) -> tuple[int, ...]:
    return tuple(n + (i == cell) for i, n in enumerate(table))


@pytest.mark.slow
def test_whoever_looks_a_hundred_times_is_not_fooled() -> None:
    plain, watched = looks(60, 1000, (0.1, 0.2, 0.4, 0.2, 0.1), 1)
    assert plain > 0.15
    assert watched <= 0.05


def test_the_usual_error_is_five_percent() -> None:
    counts = [20, 130, 420, 200, 30]
    assert anytime_interval(counts) == anytime_interval(counts, alpha=0.05)
