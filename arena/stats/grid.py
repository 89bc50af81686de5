"""The table that the other modules read: how often each of K equally spaced scores occurred."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import UsageError

#: Counts below this can be squared and added up in floating point.
LARGEST_COUNT = 1e100


def scores(counts: Sequence[int | float]) -> list[float]:
    """The scores i/(K-1) of a table's cells; UsageError for what is no table of counts.

    >>> scores([7, 1, 2])
    [0.0, 0.5, 1.0]
    """
    if len(counts) < 2 or not all(0 <= count < LARGEST_COUNT for count in counts):
        raise UsageError(f"counts {list(counts)} must be two or more numbers, none negative")
    return [i / (len(counts) - 1) for i in range(len(counts))]
