"""Measure environments of PettingZoo, played by arena, against the library's own loop."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import arena
from benchmarks.openspiel import SEED, play
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import PROCESSOR, minima

BESIDE_LIBRARY = Bar(Sign.AT_MOST, 2)
ID = "classic/connect_four_v3"
GAME = f"pettingzoo:{ID}"


def rows(quick: bool) -> list[Row]:
    """Measure the time of a ply of random games, on one core in this process."""
    work = f"a ply of `{GAME}`: time against"
    try:
        game = arena.get_game(GAME)
    except arena.UsageError as error:
        return [skipped(f"{work} the library's loop", str(error), BESIDE_LIBRARY)]
    import pettingzoo

    games, rounds = (1, 2) if quick else (20, 10)
    works = [partial(play, game, games), partial(loop, pettingzoo.make("aec", ID), games)]
    times = minima(works, rounds, PROCESSOR)
    ours, theirs = (time / run() for time, run in zip(times, works, strict=True))
    return [cost(f"{work} the library's loop", ours, theirs, BESIDE_LIBRARY)]


def loop(env: Any, games: int) -> int:
    """Play random games as the library's pages show, and return the number of plies."""
    rng, plies = random.Random(SEED), 0
    for _ in range(games):
        env.reset(seed=SEED)
        while env.agents:
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(rng.choice([move for move, legal in enumerate(seen["action_mask"]) if legal]))
            plies += 1
    return plies
