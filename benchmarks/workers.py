"""Measure one worker process against two, and what two processes gain on this machine at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from multiprocessing import Process
from typing import Any

import arena
from arena.executors.base import usable_cores
from benchmarks.table import Bar, Row, Sign, skipped, speed
from benchmarks.timing import minima

SEED = 1
BAR = Bar(Sign.AT_LEAST, 1.8)
FIGHT = "tictactoe3 against monkey"
WORKERS = f"{FIGHT}: speed of 2 workers against 1"
BY_HAND = f"{FIGHT}: the same, split by hand into 2 processes without arena's executor"

#: Pairs to begin with; more until one worker needs the time of the bar.
PAIRS = 2000


def rows(quick: bool) -> list[Row]:
    """Measure two workers in a fight that takes one of them more than two seconds.

    The second row does not have a bar. It is the most that two workers can gain: cores that share
    their caches, or are busy otherwise, do not double anything.
    """
    if usable_cores() < 2:
        why = "there is only one core"
        return [skipped(WORKERS, why, BAR), skipped(BY_HAND, why)]
    pairs, times = _long_enough(0.1, 1) if quick else _long_enough(2.0, 8)
    one, two, one_by_hand, two_by_hand = times
    return [
        speed(f"{WORKERS}, {2 * pairs} games", two, one, BAR),
        speed(BY_HAND, two_by_hand, one_by_hand),
    ]


def _long_enough(least: float, rounds: int) -> tuple[int, list[float]]:
    """Return the pairs of a fight that takes one worker ``least`` seconds, and its times."""
    pairs = PAIRS
    while (times := minima(_works(pairs), rounds))[0] < least:
        pairs = round(pairs * 1.2 * least / times[0])
    return pairs, times


def _works(pairs: int) -> list[Callable[[], object]]:
    return [
        partial(_fight, pairs, workers=1),
        partial(_fight, pairs, workers=2),
        partial(_by_hand, pairs, 1),
        partial(_by_hand, pairs, 2),
    ]


def _by_hand(pairs: int, processes: int) -> None:
    share = partial(_fight, pairs // processes, executor="serial")
    crew = [Process(target=share) for _ in range(processes)]
    for process in crew:
        process.start()
    for process in crew:
        process.join()


def _fight(pairs: int, **options: Any) -> None:
    arena.fight("tictactoe3", "monkey", n=pairs, seed=SEED, engine="calls", **options)
