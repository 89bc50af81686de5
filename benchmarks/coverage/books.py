"""Fights of players without chance from a book of openings: more pairs repeat old games."""

from __future__ import annotations

from collections.abc import Iterator

import arena
from arena.stats.elo import elo_of
from arena.stats.interval import score_interval
from benchmarks.coverage.table import Row, coverage, errors

A, B = "triples", "lms"

#: What draws an opening, and all that it can draw.
DRAWN, BOOK = "random:2", "all:2"

#: The distance of the two hypotheses in Elo: the book has too few openings to tell them apart.
GAP = 5.0

#: The most pairs of a test; of a fight with a fixed number.
MOST, SIZES = 3000, (20, 100, 1000)


def rows(replicates: int) -> Iterator[Row]:
    """Yield wrong decisions, and the coverage of the exact score over the book."""
    truth = float(arena.exact(A, B, openings=BOOK).total.score)
    elo = elo_of(truth) or 0.0
    under = f"{A} - {B}, openings {DRAWN}, true is"
    for wrong, elo0 in (("H1", elo), ("H0", elo - GAP)):
        decisions = [_decision(elo0, seed) for seed in range(replicates)]
        hypothesis = {"H1": "elo0", "H0": "elo1"}[wrong]
        found = [decision == wrong for decision in decisions]
        yield errors(f"{wrong} is accepted", f"{under} {hypothesis}", found, 0.05)
    for size in SIZES:
        hits = [_covers(truth, size, seed) for seed in range(replicates)]
        yield coverage(
            "score interval of a fight", f"{A} - {B}, openings {DRAWN}, {size} pairs", hits
        )


def _decision(elo0: float, seed: int) -> str:
    played = arena.sprt_fight(
        A, B, MOST, elo0=elo0, elo1=elo0 + GAP, openings=DRAWN, seed=seed, executor="serial"
    )
    return played.test.decision


def _covers(truth: float, size: int, seed: int) -> bool:
    fight = arena.fight(A, B, size, openings=DRAWN, seed=seed, executor="serial")
    table = fight.observations
    interval = score_interval(table.counts, scores=table.scores)
    assert interval is not None
    return interval[0] <= truth <= interval[1]
