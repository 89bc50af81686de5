"""Read clocks. No other module does."""

import sys
import time
from typing import Protocol


class ClockSource(Protocol):
    """A clock: it tells the time, in seconds, and lets it go by."""

    def monotonic(self) -> float: ...  # noqa: D102 - as in the module time

    def sleep(self, seconds: float, /) -> None: ...  # noqa: D102


#: Where this process has its time from; a test may put :class:`arena.testing.FakeClock` here.
source: ClockSource = time


#: Years have four digits before it, in seconds since 1970.
LAST_SECOND = 253_402_300_800


def now() -> float:
    """Return the seconds on a clock that never goes back. Only differences mean anything."""
    return source.monotonic()


def time_of_day() -> float:
    """Return the seconds since 1970, to the thousandth. They may jump: differences mean nothing."""
    return round(time.time(), 3)


def sleep(seconds: float) -> None:
    """Sleep."""
    source.sleep(seconds)


def computed(pid: int) -> float:
    """Return the seconds that a process has computed in all its threads. Raises OSError without a
    source.
    """
    if sys.platform != "linux":
        raise OSError("only Linux shows how long another process has computed")
    return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3), by the kernel's rule


def timestamp() -> str:
    """Return the time of day in UTC, such as ``2026-11-21T17:03:00Z``, for a human reader."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def moment(seconds: float) -> str:
    """Return a time in seconds since 1970 in UTC, such as ``2026-11-21T17:03:00.250``."""
    whole, thousandths = divmod(int(1000 * seconds), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{thousandths:03}"


def in_utc(moment: object) -> str:
    """Return a date with a time as :func:`timestamp` writes it.

    Raises TypeError for anything else, and ValueError for one without a zone.
    """
    from datetime import UTC, datetime  # few commands read dates

    if not isinstance(moment, datetime):
        raise TypeError("it is not a date with a time")
    if moment.tzinfo is None:
        raise ValueError("it has no zone")
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def read_timestamp(text: str) -> str:
    """Return ISO 8601 text, such as ``2026-12-01T18:00+01:00``, as :func:`timestamp` writes it.

    Raises ValueError for another text.
    """
    from datetime import datetime

    return in_utc(datetime.fromisoformat(text))
