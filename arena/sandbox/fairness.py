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

#: Seconds of turns in which it does not matter who had the processor.
SHORT = 0.001


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

    To ask takes as long as a quick move. So it is not asked after turns that took less than SHORT
    together: these count whole, and what others took of them is forgiven with the next turn.
    ``before`` is what was used when it was asked last, None if that is to be found out, and since
    then earlier turns took so many seconds.
    """

    def __init__(
        self, used: Callable[[], Used], before: Used | None = None, earlier: float = 0.0
    ) -> None:
        self._used = used
        self._before = used() if before is None else before
        self._earlier = earlier
        self._begun = now()

    def forgiven(self) -> float:
        """Seconds until now that do not count."""
        return forgiven(self._earlier + now() - self._begun, self._before, self._used())

    def ended(self, end: float) -> tuple[float, Used, float]:
        """How many seconds of it count if it ended then; and the next turn's two arguments."""
        seconds = end - self._begun
        window = self._earlier + seconds
        if window < SHORT:
            return seconds, self._before, window
        after = self._used()
        return max(0.0, seconds - forgiven(window, self._before, after)), after, 0.0

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
