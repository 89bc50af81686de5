"""Time things side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter, process_time

Clock = Callable[[], float]

#: The first counts the other work of the machine too, the second does not. The second measures only
#: work that this process does alone.
WALL: Clock = perf_counter
PROCESSOR: Clock = process_time


def minima(works: Sequence[Callable[[], object]], rounds: int, clock: Clock = WALL) -> list[float]:
    """Return the seconds of the fastest call of each, called in turn ``rounds`` times.

    A first call of each does not count: it fills caches. Every round begins with another one, so
    that each has changing neighbours.
    """
    for work in works:
        work()
    best = [math.inf] * len(works)
    for turn in range(rounds):
        for step in range(len(works)):
            at = (turn + step) % len(works)
            best[at] = min(best[at], _seconds(works[at], clock))
    return best


def _seconds(work: Callable[[], object], clock: Clock) -> float:
    start = clock()
    work()
    return clock() - start
