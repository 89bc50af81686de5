"""Give a calculation up after a number of positions, or of seconds, or of bytes of memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import inf

from arena.clock import now
from arena.errors import Undecided

#: A claim about a player that can be in more positions than this, or in more lines if it keeps
#: state, is bounded by games, not proved.
MAX_CLAIM_POSITIONS = 100_000


#: The share of the machine's memory that one calculation may take.
MAX_MEMORY_SHARE = 0.5

#: Looks at the limit after which the memory is read once.
LOOKS_A_READING = 1024


class Limit:
    """A limit of positions for each part of a calculation, and of seconds for all of it.

    It may take half of the machine's memory, whatever these are.
    """

    def __init__(
        self, positions: int, seconds: float | None = None, remaining: float | None = None
    ) -> None:
        """Begin. Where a part of it is done elsewhere, this many of the seconds are ``left``."""
        self.positions, self.seconds = positions, seconds
        self._looks = 0
        self._end = (
            None if seconds is None else now() + (seconds if remaining is None else remaining)
        )

    @property
    def seconds_left(self) -> float | None:
        """The seconds until its end, or None if there are as many as it takes."""
        return None if self._end is None else self._end - now()

    def require(self, reached: int, what: str, finding: Callable[[], str] = str) -> None:
        """Raise Undecided if more positions than these are reached, or the time is over.

        ``what`` says what reaches them, and ``finding`` what is known until then, which the message
        tells.
        """
        if reached > self.positions:
            self._give_up(f"{what} reaches more than {self.positions:,} positions", finding)
        if self._end is not None and now() > self._end:
            assert self.seconds is not None
            self._give_up(
                f"{what} takes longer than {self.seconds:g} s: {reached:,} positions", finding
            )

        self._looks += 1
        if self._looks % LOOKS_A_READING == 0 and (most := memory_limit()) < memory_of_process():
            size = f"{most / (1 << 30):.1f} GiB of memory"
            self._give_up(f"{what} needs more than {size}: {reached:,} positions", finding)

    def _give_up(self, why: str, finding: Callable[[], str]) -> None:
        progress = finding()
        raise Undecided(f"{why}; {progress}" if progress else why)


def memory_limit() -> float:
    """Return the bytes that a calculation may take, without a limit where the system tells none."""
    try:
        return MAX_MEMORY_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return inf


def memory_of_process() -> int:
    """Return the bytes of memory that this process has now, or 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError):
        return 0
