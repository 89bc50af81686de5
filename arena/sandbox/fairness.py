"""The fair clock: a player's turn takes as long as it would with the processor to itself.

The kernel tells how long a process was ready to run while no processor was free. That time is
others', unless it is the player's own: a player that computes in many threads or processes keeps
itself waiting. So what is forgiven is never more than the time in which nothing of the player's
ran.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from arena.clock import now

#: A turn is waited for at most this many times its limit, whatever the machine is busy with.
MAX_WAIT_RATIO = 3

#: It is waited for this many times its limit if the player, at the pace so far, uses up its limit
#: in that time. So a player that computes without end is late on a busy machine too.
MAX_BUSY_RATIO = 20

#: Seconds of waiting for a processor that are nothing out of the ordinary.
MIN_LOST_SECONDS = 0.005

#: Seconds of turns in which it does not matter which process had the processor.
MAX_SHORT_SECONDS = 0.001


class Used(NamedTuple):
    """Seconds of a player's since it was started."""

    #: For how long its first thread was ready to run and no processor was free.
    waited: float
    #: Seconds that it and all that it has started computed, all threads together.
    computed: float


def forgiven(seconds: float, before: Used, after: Used) -> float:
    """Return the seconds of a turn that others took, within what its limit leaves to compute."""
    idle = seconds - (after.computed - before.computed)
    return max(0.0, min(after.waited - before.waited, idle))


class Waiting(NamedTuple):
    """Seconds of a turn in which others had the processor, and all of its seconds."""

    lost: float
    seconds: float


class Turns:
    """The turns of a player, one after the other; ``used`` tells what it has used until now.

    The player does nothing between its turns. To ask what it has used takes as long as a quick
    move, so nothing asks after turns that took less than MAX_SHORT_SECONDS together: these count
    whole, and the next turn is forgiven what others took of them.
    """

    def __init__(self, used: Callable[[], Used]) -> None:
        self._used = used
        self._before: Used | None = None
        #: Seconds of turns since ``before`` was asked for.
        self._earlier = 0.0
        self._begun = self._limit = 0.0
        #: Whether the machine, not the player's own time, ends the turn.
        self._is_cut = False

    def begin(self, limit: float) -> None:
        """Begin a turn that may take this many seconds."""
        if self._before is None:
            self._before = self._used()
        self._limit = limit
        self._begun = now()
        self._is_cut = False

    def forgiven(self) -> float:
        """Return the seconds until now that do not count."""
        assert self._before is not None
        return forgiven(self._earlier + now() - self._begun, self._before, self._used())

    def deadline(self) -> float:
        """Return until when to wait, as known now; in the end, not for ever."""
        end = self._begun + self._limit
        if now() < end:
            return end
        lost = self.forgiven()
        seconds = now() - self._begun
        is_on_its_way = seconds <= MAX_BUSY_RATIO * (seconds - lost)
        ratio = MAX_BUSY_RATIO if is_on_its_way else MAX_WAIT_RATIO
        last = self._begun + ratio * self._limit
        self._is_cut = last < end + lost
        return min(end + lost, last)

    def waited_in_vain(self) -> Waiting | None:
        """Return how a turn went that has ended because the player did not get its time to compute.

        None if it used up its limit: that is what a late player did.
        """
        lost = self.forgiven()
        if not self._is_cut or lost <= MIN_LOST_SECONDS:
            return None
        return Waiting(lost, now() - self._begun)

    def end(self, at: float) -> float:
        """End the turn, whose answer came at a time; return the seconds of it that count."""
        seconds = at - self._begun
        self._earlier += seconds
        if self._earlier < MAX_SHORT_SECONDS:
            return seconds
        before, self._before = self._before, self._used()
        assert before is not None
        lost = forgiven(self._earlier, before, self._before)
        self._earlier = 0.0
        return max(0.0, seconds - lost)


def waited(schedstat: int) -> float:
    """Return what the open file of that name in ``/proc/PID`` tells; 0 where it tells nothing."""
    try:
        return int(os.pread(schedstat, 100, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # it is gone
        return 0.0
