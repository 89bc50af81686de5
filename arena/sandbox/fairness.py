"""The fair clock: a player's turn takes as long as it would with the processor to itself.

The kernel tells how long a process was ready to run while no processor was free. That time is
others', unless it is the player's own: a player that computes in many threads or processes keeps
itself waiting. So what is forgiven is never more than the time in which nothing of the player's
ran, and nothing if a process of the player's vanished with what it had computed.

What a player computes between its turns belongs to others. Its tier keeps it from that as far as
it can. No list of ways is complete, so arena measures it and charges it to the next turn.

The system stops a process once its first thread has a processor. Until then its other threads go
on. So no player is to blame for what it computed while that thread waited for one.
"""

from __future__ import annotations

import os
import random
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

#: Seconds between two turns in which a player cannot compute much, so that nothing looks.
MAX_SHORT_BREAK_SECONDS = 0.002

#: Seconds of computing between two turns that the system may need to stop a player.
MAX_OFF_TURN_SECONDS = 0.005

#: How often in a game a player may compute longer than that between two turns.
MAX_OFF_TURNS = 2

#: Mean seconds between two looks at a player that can start processes. The moments of the looks are
#: drawn, so that a player cannot have its processes end before each look.
MEAN_LOOK_SECONDS = 0.02

_random = random.SystemRandom()  # a moment changes no result


class CpuUsage(NamedTuple):
    """The seconds that a player has used since its start."""

    #: For how long its first thread was ready to run and no processor was free.
    waited: float
    #: Seconds that it and all that it has started computed, all threads together.
    computed: float
    #: Whether a process of its own vanished and left what it computed to none.
    is_hidden: bool = False


def forgiven(seconds: float, before: CpuUsage, after: CpuUsage) -> float:
    """Return the seconds of a turn that others took, within what its limit leaves to compute."""
    if after.is_hidden:
        return 0.0
    idle = seconds - (after.computed - before.computed)
    return max(0.0, min(after.waited - before.waited, idle))


class TurnWait(NamedTuple):
    """Seconds of a turn in which others had the processor, and all of its seconds."""

    lost: float
    seconds: float


class TurnUsage:
    """The turns of a player, one after the other. ``used`` tells what it has used until now.

    To ask what it has used takes as long as a quick move, so nothing asks after turns that took
    less than MAX_SHORT_SECONDS together: these count whole, and the next turn is forgiven what
    others took of them. Nothing asks after a short break either.

    ``alone`` says that the player cannot start processes: then nothing looks during a turn.
    """

    def __init__(self, used: Callable[[], CpuUsage], cores: int = 1, alone: bool = True) -> None:
        self._used, self._alone = used, alone
        #: Processors that the player may use at once.
        self.cores = cores
        #: How often since :meth:`forget` it computed between two turns.
        self.off_turns = 0
        self._before: CpuUsage | None = None
        #: Seconds of turns since ``before`` was asked for.
        self._earlier = 0.0
        self._begun = self._limit = self._ended = self._next_look = 0.0
        #: Seconds that it computed between turns and that no turn was charged with, and those that
        #: this turn is.
        self._off_turn = self.charged = 0.0
        #: Whether the machine, not the player's own time, ends the turn.
        self._is_cut = False

    def forget(self) -> None:
        """Begin to count again how often it computes between two turns."""
        self.off_turns = 0

    def begin(self, limit: float) -> None:
        """Begin a turn that may take this many seconds.

        The turn began earlier by what the player computed since the last one, if that is much.
        """
        excused, self.charged = 0.0, 0.0
        if self._before is None:
            self._before = self._used()
        elif now() - self._ended > MAX_SHORT_BREAK_SECONDS:
            before = self._before
            self._look()
            excused = self.cores * (self._before.waited - before.waited)
        if self._off_turn > MAX_OFF_TURN_SECONDS:
            self.off_turns += self._off_turn > MAX_OFF_TURN_SECONDS + excused
            self.charged, self._off_turn = self._off_turn, 0.0
        moment = now()
        self._limit, self._begun = limit, moment - self.charged
        self._next_look = moment + self._interval()
        self._is_cut = False

    def forgiven(self) -> float:
        """Return the seconds until now that do not count."""
        assert self._before is not None
        seconds = self._earlier + now() - self._begun - self.charged
        return forgiven(seconds, self._before, self._used())

    def deadline(self) -> float:
        """Return until when to wait, as known now, but not for ever."""
        end, moment = self._begun + self._limit, now()
        if moment >= end:
            end = self._late(end)
        if self._alone:
            return end
        if moment >= self._next_look:
            self._used()
            self._next_look = moment + self._interval()
        return min(end, self._next_look)

    def _late(self, end: float) -> float:
        """Return until when to wait for a player that is late, beyond the end of its limit."""
        lost = self.forgiven()
        seconds = now() - self._begun
        is_on_its_way = seconds <= MAX_BUSY_RATIO * (seconds - lost)
        ratio = MAX_BUSY_RATIO if is_on_its_way else MAX_WAIT_RATIO
        last = self._begun + ratio * self._limit
        self._is_cut = last < end + lost
        return min(end + lost, last)

    def waited_in_vain(self) -> TurnWait | None:
        """Return how a turn went that has ended because the player did not get its time to compute.

        None if it used up its limit: that is what a late player did.
        """
        lost = self.forgiven()
        if not self._is_cut or lost <= MIN_LOST_SECONDS:
            return None
        return TurnWait(lost, now() - self._begun)

    def end(self, answered_at: float) -> float:
        """End the turn of a player that is stopped. Its answer came at a time.

        Returns the seconds of the turn that count.
        """
        seconds = answered_at - self._begun
        self._ended = now()
        self._earlier += self._ended - self._begun - self.charged
        if self._earlier < MAX_SHORT_SECONDS:
            return seconds
        return max(0.0, seconds - self._look())

    def _look(self) -> float:
        """Note what the player has used. Return the seconds of its turns that others took."""
        before, after, turns = self._before, self._used(), self._earlier
        assert before is not None
        computed = after.computed - before.computed
        self._off_turn += max(0.0, computed - self.cores * turns)
        self._before, self._earlier = after, 0.0
        return forgiven(turns, before, after)

    def _interval(self) -> float:
        return _random.uniform(0.5, 1.5) * MEAN_LOOK_SECONDS


def waited(schedstat: int) -> float:
    """Return what the open file of that name in ``/proc/PID`` tells, or 0 where it tells
    nothing.
    """
    try:
        return int(os.pread(schedstat, 100, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # it is gone
        return 0.0
