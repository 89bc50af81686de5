"""Processes that tests start."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """End a process and close its pipes with the block, even if the test fails.

    Otherwise the garbage collector finds both in the midst of another test, which then fails too.
    """
    with process:
        try:
            yield process
        finally:
            process.kill()
