"""Simulate fights of deterministic players from a book of openings: more pairs repeat old games.

The book of a fight is a random part of the world, all openings of some plies. The result of a fight
is about the world.
"""

from __future__ import annotations

from collections.abc import Iterator

import arena
from arena.fights.openings import Openings, openings_of
from arena.stats.elo import elo_of
from arena.stats.interval import score_interval
from benchmarks.coverage.laws import generator
from benchmarks.coverage.table import Row, coverage, errors

A, B, GAME, WORLD = "triples", "lms", "tictactoe", "all:4"

#: Openings in a book.
SIZES = (20, 72, 200)

#: Elo between the two hypotheses, and the largest number of pairs: each opening could repeat often.
GAP, MAX_PAIRS = 20.0, 5000

#: Pairs from each opening in a fight with a fixed number of pairs.
TIMES = 3


def rows(replicates: int) -> Iterator[Row]:
    """Yield wrong decisions, and the coverage of the exact score over the world."""
    truth = float(arena.exact(A, B, openings=WORLD).total.score)
    elo = elo_of(truth) or 0.0
    for size in SIZES:
        books = _books(size, replicates)
        under = f"{A} - {B}, {size} of the openings {WORLD}"
        for wrong, true, elo0 in (("H1", "elo0", elo), ("H0", "elo1", elo - GAP)):
            found = [_decision(book, elo0) == wrong for book in books]
            yield errors(f"{wrong} is accepted", f"{under}, true is {true}", found, 0.05)
        hits = [_covers(book, truth) for book in books]
        yield coverage("score interval of a fight", f"{under}, {TIMES} pairs each", hits)


def _books(size: int, number: int) -> list[Openings]:
    """Draw books from the world, each opening at most once."""
    world = openings_of(WORLD, arena.get_game(GAME)).positions
    rng = generator("book", size)
    draws = [rng.choice(len(world), size, replace=False) for _ in range(number)]
    return [Openings("a book", tuple(world[place] for place in drawn)) for drawn in draws]


def _decision(book: Openings, elo0: float) -> str:
    played = arena.sprt_fight(
        A, B, MAX_PAIRS, elo0=elo0, elo1=elo0 + GAP, openings=book, seed=1, executor="serial"
    )
    return played.test.decision


def _covers(book: Openings, truth: float) -> bool:
    pairs = TIMES * len(book.positions)
    fight = arena.fight(A, B, pairs, openings=book, seed=1, executor="serial")
    table = fight.observations
    interval = score_interval(table.counts, scores=table.scores)
    assert interval is not None
    return interval[0] <= truth <= interval[1]
