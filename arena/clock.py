"""The only place that reads a clock."""

import time


def now() -> float:
    """Seconds on a clock that never goes back; only differences mean anything."""
    return time.monotonic()
