"""Read clocks; only this module does."""

import sys
import time
from datetime import UTC, datetime


def now() -> float:
    """Return seconds on a clock that never goes back; only differences mean anything."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Sleep."""
    time.sleep(seconds)


def computed(pid: int) -> float:
    """Return the seconds that a process has computed in all its threads. Raises OSError without a
    source.
    """
    if sys.platform != "linux":
        raise OSError("only Linux shows how long another process has computed")
    return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), by the kernel's rule


def timestamp() -> str:
    """Return the time of day in UTC, such as ``2026-11-21T17:03:00Z``, for a human reader."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
