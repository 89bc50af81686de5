"""Simulate the intervals of the Elo column of a tournament."""

from __future__ import annotations

from collections.abc import Iterator

from arena.stats.bradley_terry import rate
from arena.stats.pairings import PairingCounts
from benchmarks.coverage.laws import generator
from benchmarks.coverage.table import Row, coverage, percent
from benchmarks.coverage.tables import SCENARIOS, true_ratings


def rows(replicates: int) -> Iterator[Row]:
    """Yield the coverage of each scenario, over all its players and of the worst of them."""
    for under, make in SCENARIOS.items():
        scenario = make()
        truths, rng = true_ratings(scenario), generator("rating", under)
        names = [f"player {place}" for place in range(scenario.players)]
        hits: list[list[bool]] = [[] for _ in names]
        excess: list[float] = []
        for _ in range(replicates):
            drawn = scenario.drawn(rng)
            pairings = [
                PairingCounts.of_pairs(a, b, joint.tolist()) for (a, b), joint in drawn.items()
            ]
            found = rate(names, pairings)
            if len(found.groups) > 1:
                continue  # players that do not compare lack a common scale
            for place, rating in enumerate(found.ratings):
                if rating.value is None:
                    continue
                low = float("-inf") if rating.low is None else rating.low
                high = float("inf") if rating.high is None else rating.high
                hits[place].append(low <= truths[place] <= high)
                excess.append(rating.value - truths[place])
        yield coverage("rating", under, [hit for one in hits for hit in one], excess, "Elo")
        shares = [sum(one) / len(one) for one in hits if one]
        if shares:  # the least share is low by chance too, so it is not judged
            claim = "rating of the player that is covered worst"
            yield Row(claim, under, replicates, "", percent(min(shares)))
