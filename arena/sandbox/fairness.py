"""The fair clock: a player's turn takes as long as it would with the processor to itself.

The kernel tells how long a process was ready to run while no processor was free. That time is
others', unless it is the player's own: who computes in many threads or processes keeps itself
waiting. So what is forgiven is never more than the time in which nothing of the player's ran.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from arena.clock import now

#: A turn is waited for at most so many times its limit, whatever the machine is busy with.
PATIENCE = 3


class Used(NamedTuple):
    """Seconds of a player's since it was started."""

    #: For how long its first thread was ready to run and no processor was free.
    waited: float
    #: What it and all that it has started computed, all threads together.
    computed: float


def forgiven(seconds: float, before: Used, after: Used) -> float:
    """Seconds of a turn that others took: never so many that it could compute beyond its limit."""
    idle = seconds - (after.computed - before.computed)
    return max(0.0, min(after.waited - before.waited, idle))


class Turn:
    """A turn of a player, which begins now; ``used`` tells what it has used whenever it is asked.

    ``before`` is what it has used until now, where that is known.
    """

    def __init__(self, used: Callable[[], Used], before: Used | None = None) -> None:
        self._used = used
        self._before = used() if before is None else before
        self._begun = now()

    def forgiven(self) -> float:
        """Seconds of it until now that do not count."""
        return forgiven(now() - self._begun, self._before, self._used())

    def took(self, end: float, after: Used) -> float:
        """Seconds that count of a turn that ended at ``end``, with ``after`` used by then."""
        seconds = end - self._begun
        return max(0.0, seconds - forgiven(seconds, self._before, after))

    def deadline(self, limit: float) -> float:
        """Until when to wait, as known now; in the end, not for ever."""
        lost = self.forgiven() if now() >= self._begun + limit else 0.0
        return self._begun + min(limit + lost, PATIENCE * limit)


def waited(schedstat: int) -> float:
    """What the open file of that name in ``/proc/PID`` tells; 0 where it tells nothing."""
    try:
        return int(os.pread(schedstat, 100, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # it is gone
        return 0.0
