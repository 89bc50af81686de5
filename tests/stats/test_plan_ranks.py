"""How many pairs distinct ranks take: the formula, against simulated tournaments."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from arena.errors import UsageError
from arena.stats.differences import differences
from arena.stats.elo import expected_score
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.plan_ranks import pairs_for_ranks
from arena.stats.ranks import critical_value, surely_better
from benchmarks.coverage.laws import PAIRS, tilted


def distinct(entrants: int, apart: float, shape: str, pairs: int, tables: int) -> float:
    """Return the share of simulated round robins in which all ranks are distinct."""
    rng = np.random.default_rng(1)
    laws = {
        (a, b): tilted(PAIRS[shape], expected_score(apart * (b - a)))
        for a, b in combinations(range(entrants), 2)
    }
    found = 0
    for _ in range(tables):
        drawn = {
            two: Observations(tuple(map(int, rng.multinomial(pairs, law))), PAIR_SCORES)
            for two, law in laws.items()
        }
        found += len(surely_better(differences(range(entrants), drawn) or {})) == len(laws)
    return found / tables


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
