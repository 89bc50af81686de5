"""The only place that reads a clock."""

import time
from datetime import UTC, datetime


def now() -> float:
    """Seconds on a clock that never goes back; only differences mean anything."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Let so much time go by."""
    time.sleep(seconds)


def timestamp() -> str:
    """The time of day in UTC, such as ``2026-11-21T17:03:00Z``; for people to read."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
