"""How many pairs distinct ranks take: the formula, against simulated tournaments."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.differences import differences
from arena.stats.elo import NELO, expected_score
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.plan_ranks import elo_of_normalized, pairs_for_ranks
from arena.stats.ranks import critical_value, surely_better
from benchmarks.coverage.laws import PAIRS, tilted


def distinct(entrants: int, apart: float, shape: str, pairs: int, tables: int) -> float:
    """Return the share of simulated round robins in which all ranks are distinct."""
    rng = np.random.default_rng(1)
    laws = {
        (a, b): tilted(PAIRS[shape], expected_score(apart * (b - a)))
        for a, b in combinations(range(entrants), 2)
    }
    count = 0
    for _ in range(tables):
        drawn = {
            two: Observations(tuple(map(int, rng.multinomial(pairs, law))), PAIR_SCORES)
            for two, law in laws.items()
        }
        count += len(surely_better(differences(range(entrants), drawn) or {})) == len(laws)
    return count / tables


#: Shares of pairs by the chips that they paid the better player, as two seats of Leduc pay them.
CHIPS = {-13: 3, -6: 10, -3: 20, -1: 30, 0: 40, 1: 30, 3: 20, 5: 10, 13: 4}


def payoffs_distinct(entrants: int, gap: float, pairs: int, tables: int) -> float:
    """Return the share of simulated round robins of payoffs in which all ranks are distinct.

    A player gets ``gap`` chips a pair from the next one on average, and twice as much from the one
    after. The law is that of `CHIPS`, tilted to this mean.
    """
    rng = np.random.default_rng(2)
    chips, shares = np.array([*CHIPS]), np.array([*CHIPS.values()]) / sum(CHIPS.values())
    scores = tuple((chips / 26 + 0.5).tolist())
    laws = {}
    for a, b in combinations(range(entrants), 2):
        weights = shares * np.exp(np.linspace(-0.5, 0.5, 20_001)[:, None] * chips)
        weights /= weights.sum(axis=1, keepdims=True)
        laws[a, b] = weights[np.argmin(abs(weights @ chips - gap * (b - a)))]
    count = 0
    for _ in range(tables):
        drawn = {
            two: Observations(tuple(map(int, rng.multinomial(pairs, law))), scores)
            for two, law in laws.items()
        }
        count += len(surely_better(differences(range(entrants), drawn) or {})) == len(laws)
    return count / tables


@pytest.mark.slow
@pytest.mark.parametrize(("entrants", "nelo"), [(3, 40), (5, 30), (4, 90)])
def test_so_many_pairs_give_distinct_ranks_of_payoffs_as_often_as_planned(
    entrants: int, nelo: float
) -> None:
    law, scores = [*CHIPS.values()], [chips / 26 + 0.5 for chips in CHIPS]
    elo = elo_of_normalized(nelo, law, scores)
    assert elo is not None
    gap = 26 * (expected_score(elo) - 0.5)
    planned = pairs_for_ranks(entrants, elo, law, scores=scores).number
    assert planned is not None
    assert 0.7 < payoffs_distinct(entrants, gap, planned, 150) <= 1
    assert payoffs_distinct(entrants, gap, planned // 2, 60) < 0.6


@pytest.mark.slow
@given(st.floats(0.1, 200), st.sampled_from([*PAIRS]))
def test_normalised_elo_is_the_difference_in_deviations_of_a_game(nelo: float, shape: str) -> None:
    law = PAIRS[shape]
    variance = sum(p * (s - 0.5) ** 2 for p, s in zip(law, PAIR_SCORES, strict=True))
    elo = elo_of_normalized(nelo, law, PAIR_SCORES)
    assert elo is not None
    assert nelo == pytest.approx(NELO * (expected_score(elo) - 0.5) / sqrt(2 * variance))


def test_payoffs_that_are_further_apart_than_the_game_pays_are_no_plan() -> None:
    assert elo_of_normalized(900, [1, 0, 1], [0, 0.5, 1]) is None
    assert pairs_for_ranks(3, 20, [0, 1, 0], scores=[0, 0.5, 1]).number is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "apart", "shape"), [(4, 30, "balanced"), (5, 60, "wild"), (4, 60, "drawish")]
)
def test_so_many_pairs_give_distinct_ranks_as_often_as_planned(
    entrants: int, apart: float, shape: str
) -> None:
    planned = pairs_for_ranks(entrants, apart, PAIRS[shape]).number
    assert planned is not None
    assert 0.7 < distinct(entrants, apart, shape, planned, 150) <= 1
    assert distinct(entrants, apart, shape, planned // 2, 60) < 0.6


def test_two_players_need_the_textbook_number() -> None:
    """At 5 % on two sides with power 80 %: ((1.96 + 0.84) deviation / difference)²."""
    law = PAIRS["balanced"]
    gap = expected_score(5) - 0.5
    _, deviation = 0.5, sqrt(sum(p * (s - 0.5) ** 2 for p, s in zip(law, PAIR_SCORES, strict=True)))
    expected = ((critical_value(1) + NormalDist().inv_cdf(0.8)) * deviation / gap) ** 2
    assert pairs_for_ranks(2, 5, law).number == pytest.approx(expected, rel=0.01)


def test_closer_players_and_surer_plans_take_more_pairs() -> None:
    law = PAIRS["balanced"]
    needed = [pairs_for_ranks(6, apart, law).number or 0 for apart in (200, 100, 50, 20, 5)]
    assert needed == sorted(needed)
    powers = [pairs_for_ranks(6, 20, law, power).number or 0 for power in (0.5, 0.8, 0.99)]
    assert powers == sorted(set(powers))


def test_bad_plans_are_refused_and_endless_ones_said() -> None:
    law = PAIRS["balanced"]
    for entrants, apart, power in ((1, 20, 0.8), (10**6, 20, 0.8), (4, 0, 0.8), (4, 20, 1)):
        with pytest.raises(UsageError):
            pairs_for_ranks(entrants, apart, law, power)
    assert pairs_for_ranks(4, 1e-9, law).number is None
    assert pairs_for_ranks(4, 20, [0, 1, 0]).number is None
