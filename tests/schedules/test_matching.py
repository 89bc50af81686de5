"""The greatest perfect matching: against all matchings of small graphs, and a public library."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest

from arena.schedules import blossom
from arena.schedules.blossom import perfect_matching

Weights = dict[tuple[int, int], int]


def total(mates: list[int], weights: Weights) -> int:
    assert [mates[mate] for mate in mates] == list(range(len(mates)))
    return sum(weight for (a, b), weight in weights.items() if mates[a] == b)


def best_of_all(vertices: int, weights: Weights) -> int | None:
    """Try every perfect matching."""

    @cache
    def best(left: frozenset[int]) -> int | None:
        if not left:
            return 0
        first, results = min(left), []
        for other in left - {first}:
            weight = weights.get((first, other), weights.get((other, first)))
            rest = best(left - {first, other}) if weight is not None else None
            if weight is not None and rest is not None:
                results.append(weight + rest)
        return max(results, default=None)

    return best(frozenset(range(vertices)))


def graph(rng: random.Random, vertices: int) -> Weights:
    share, most = rng.random(), rng.choice([1, 5, 30, 10**12])
    return {
        rng.choice([(a, b), (b, a)]): rng.randint(-3, most)
        for a, b in combinations(range(vertices), 2)
        if rng.random() < share
    }


@pytest.mark.parametrize("nearest", [1, 2, 8])
def test_no_matching_of_a_small_graph_is_better(
    nearest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blossom, "NEAREST", nearest)
    rng = random.Random(nearest)
    none = 0
    for _ in range(300):
        vertices = rng.choice([0, 1, 2, 3, 4, 6, 8, 10])
        weights = graph(rng, vertices)
        mates, expected = perfect_matching(vertices, weights), best_of_all(vertices, weights)
        none += mates is None
        assert (None if mates is None else total(mates, weights)) == expected
    assert 0 < none < 300


@pytest.mark.slow
def test_a_larger_matching_is_as_good_as_that_of_networkx() -> None:
    networkx = pytest.importorskip("networkx", reason="pip install networkx")
    rng = random.Random(4)
    for vertices in (20, 40, 60):
        weights = {both: rng.randint(0, 50) for both in combinations(range(vertices), 2)}
        other = networkx.Graph()
        other.add_weighted_edges_from((a, b, weight) for (a, b), weight in weights.items())
        result = networkx.max_weight_matching(other, maxcardinality=True)
        expected = sum(weights[min(both), max(both)] for both in result)
        mates = perfect_matching(vertices, weights)
        assert mates is not None
        assert total(mates, weights) == expected
