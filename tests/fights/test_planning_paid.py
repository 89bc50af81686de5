"""Plans of games that pay, against tests and intervals that are run."""

from __future__ import annotations

import random
from statistics import mean

import pytest

import arena
from arena.errors import UsageError
from arena.stats.anytime import anytime_interval
from arena.stats.elo import NELO
from arena.stats.plan import expected_normalized_test
from arena.stats.sprt import sprt
from tests.conftest import Run
from tests.golden import Wording


def test_payoffs_have_a_plan_in_their_unit(run: Run, wording: Wording) -> None:
    words = ("plan", "monkey", "monkey", "--game", "kuhn", "-n", "50", "--seed", "1")
    ran = run(*words)
    assert ran.code == 0
    assert " Elo" not in ran.out
    lines = [line.split("  ")[0] for line in ran.out.splitlines() if "per second" not in line]
    wording("\n".join(lines), "0.2 chips")


@pytest.mark.slow
def test_the_test_is_as_long_on_average_as_it_is_expected_to_be() -> None:
    """Pairs with three scores: the test looks after each, and is run 60 times."""
    rng, scores, law = random.Random(1), (0.0, 0.5, 0.6, 1.0), (0.1, 0.5, 0.25, 0.15)
    centre = sum(p * x for p, x in zip(law, scores, strict=True))
    variance = sum(p * (x - centre) ** 2 for p, x in zip(law, scores, strict=True))
    nelo = NELO * (centre - 0.5) / (2 * variance) ** 0.5
    expected = expected_normalized_test(0, 60, nelo, variance)
    lengths = []
    for _ in range(60):
        counts = [0, 0, 0, 0]
        while sprt(counts, 0, 60, model="normalized", scores=scores).decision == "continue":
            counts[rng.choices(range(4), law)[0]] += 1
        lengths.append(sum(counts))
    assert expected.observations is not None
    assert 0.8 < mean(lengths) / expected.observations < 1.3


@pytest.mark.slow
def test_an_interval_is_as_narrow_after_the_planned_pairs() -> None:
    plan = arena.plan("monkey", "monkey", 400, game="kuhn", seed=1)
    pairs = next(test.pairs for test in plan.tests if test.aim.startswith("until ±5%"))
    assert pairs is not None
    fight = arena.fight("monkey", "monkey", pairs, game="kuhn", seed=2)
    interval = anytime_interval(fight.observations.counts, scores=fight.observations.scores)
    assert interval is not None
    assert interval[1] - interval[0] == pytest.approx(0.1, rel=0.15)


@pytest.mark.slow
def test_luck_alone_is_planned_in_elo() -> None:
    plan = arena.plan("monkey", "monkey", 5, game="pig", seed=1)
    assert plan.scale is None


@pytest.mark.slow
def test_ranks_of_payoffs_are_planned_in_chips(run: Run, wording: Wording) -> None:
    plan = arena.plan("monkey", "monkey", 300, game="kuhn", seed=1, entrants=4, apart=30)
    *others, ranks = plan.tests
    assert ranks.pairs is not None
    assert ranks.pairings == 6
    assert ranks.pairs % 6 == 0
    assert plan.settings["entrants"] == 4
    wider = arena.plan("monkey", "monkey", 300, game="kuhn", seed=1, entrants=4, apart=60)
    assert len(others) == len(wider.tests) - 1
    assert 3.5 < ranks.pairs / (wider.tests[-1].pairs or 1) < 4.5
    wording(ranks.aim)
    flags = ("-n", "50", "--seed", "1", "--entrants", "3", "--format", "csv")
    rows = run("plan", "monkey", "monkey", "--game", "kuhn", *flags).out.splitlines()
    assert rows[-1].strip('"').startswith("ranks of 3, 20 nElo (")
    far = arena.plan("monkey", "monkey", 50, game="kuhn", seed=1, entrants=3, apart=1000)
    assert far.tests[-1].pairs is None
    wording(far.tests[-1].reason)


def test_ranks_of_payoffs_without_a_constant_sum_cannot_be_planned() -> None:
    with pytest.raises(UsageError, match="prisoners-dilemma-2"):
        arena.plan("monkey", "monkey", game="prisoners-dilemma-2", entrants=4)


def test_a_plan_is_for_games_of_two() -> None:
    with pytest.raises(UsageError, match=r"3 seats.* arena plan "):
        arena.plan("monkey", "a=monkey", 2, game="snakes-3")
