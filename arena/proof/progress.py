"""Tell on a terminal how far a long calculation has come: one line, written over and over.

It is written wherever the calculation is done: a worker has the terminal of the process that
started it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.clock import now

#: Seconds between two lines.
LINE_SECONDS = 0.2

#: Whether it reports, and when the next line is due.
_is_on = False
_due = 0.0


@contextmanager
def display(on: bool | None = None) -> Iterator[None]:
    """Tell it meanwhile, by default if standard error is a terminal."""
    global _is_on
    before = _is_on
    _is_on = sys.stderr is not None and sys.stderr.isatty() if on is None else on
    try:
        yield
    finally:
        if _is_on:
            _write("")
        _is_on = before


def is_on() -> bool:
    """Return whether it reports at all."""
    return _is_on


def tell(done: int, total: int | None, what: str, most: str = "") -> None:
    """Say that so much is done: ``312,000 of at most 1,000,000 positions``.

    ``most`` is ``at most`` where the total is a bound. The total is None where it is unknown.
    """
    global _due
    if not _is_on or (time := now()) < _due:
        return
    _due = time + LINE_SECONDS
    of = "" if total is None else f"of {most}{' ' * bool(most)}{total:,} "
    _write(f"{done:,} {of}{what}")


def note(line: str) -> None:
    """Write a line that stays, at once, where it reports."""
    if _is_on:
        _write(f"{line}\n")


def _write(line: str) -> None:
    if sys.stderr is not None:
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
