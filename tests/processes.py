"""Processes that tests start."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


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


def wait_until(condition: Callable[[], Any], seconds: float = 20.0) -> bool:
    """Return whether the condition came true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def command_lines(part: str) -> dict[int, list[str]]:
    """Return the words of the command lines in which one has this part, by process."""
    results = {}
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(part in word for word in words):
            results[int(file.parent.name)] = words
    return results
