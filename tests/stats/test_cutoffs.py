"""Cut-offs of intervals where results chose the games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from arena.stats import cutoffs
from arena.stats.bradley_terry import Ratings, rate
from arena.stats.cutoffs import MAX_SIMULATED_PLAYERS, AdaptiveDesign, Law
from arena.stats.pairings import PairingCounts
from benchmarks.coverage.laws import chances, generator
from benchmarks.coverage.schedules import SCENES
from tests.stats.pairings import ends, names

ELO = 400 / np.log(10)


def round_robin(law: Law, rng: np.random.RandomState) -> Sequence[PairingCounts]:
    results = []
    for a, b in combinations(range(len(law.ratings)), 2):
        gap, first = ELO * (law.ratings[a] - law.ratings[b]), ELO * law.advantage
        pairs = np.outer(chances(gap + first, law.draws), chances(gap - first, law.draws))
        drawn = rng.multinomial(10, pairs.ravel() / pairs.sum()).reshape(3, 3)
        results.append(PairingCounts.of_pairs(a, b, drawn.tolist()))
    return results


def rated(players: int, seed: int | None = None) -> Ratings:
    table = round_robin(Law((0.0,) * players, 0.2, 0.6), np.random.RandomState(5))
    design = None if seed is None else AdaptiveDesign(round_robin, seed)
    return rate(names(players), table, design=design)


@pytest.mark.slow
def test_change_little_where_results_chose_nothing() -> None:
    plain, result = rated(5), rated(5, seed=1)
    assert (plain.method, result.method) == ("profile", "simulated")
    for one, other in zip(plain.ratings, result.ratings, strict=True):
        width, usual = (np.subtract(*ends(each)) for each in (other, one))
        assert width == pytest.approx(usual, rel=0.12)
        assert one.value == other.value


@pytest.mark.slow
def test_follow_from_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutoffs, "MAX_TOURNAMENTS", 30)
    assert rated(4, seed=1) == rated(4, seed=1)
    assert rated(4, seed=1) != rated(4, seed=2)


@pytest.mark.slow
def test_simulate_no_tournament_of_many_players() -> None:
    assert rated(MAX_SIMULATED_PLAYERS + 1, seed=1).method == "profile"


@pytest.mark.nightly
@pytest.mark.parametrize(
    "under",
    ["swiss:4: 8 equal players, 10 pairs", "knockout: 16 equal drawish players, 2 pairs"],
)
def test_cover_the_truth_as_often_as_promised(under: str) -> None:
    """Without a simulation 85 to 90 % of these ratings are in their intervals."""
    scene, hits = SCENES[under], list[bool]()
    rng = generator("test", under)
    for seed in range(60):
        for rating, true in zip(scene.rated(seed, rng).ratings, scene.elos, strict=True):
            low, high = ends(rating)
            hits.append(low <= true <= high)
    assert 0.925 <= np.mean(hits) <= 0.985
