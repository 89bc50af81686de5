"""End processes, at once and for certain."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress

from arena.clock import now

#: Seconds to wait until killed processes are gone.
MAX_ENDING_SECONDS = 1.0


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its group, and wait for the first of them."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def end_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its descendants, and wait until they are gone.

    If a descendant is the first process of its namespace, the whole namespace ends.
    """
    family = _opened(process.pid)
    try:
        for member in family:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(member, signal.SIGKILL)
        end_group(process)
        _await(family)
    finally:
        for member in family:
            os.close(member)


def _opened(pid: int) -> list[int]:
    """Open descriptors of the descendants, which unlike process numbers are never reused."""
    descriptors = []
    if hasattr(os, "pidfd_open"):
        for descendant in descendants(pid):
            with suppress(OSError):
                descriptors.append(os.pidfd_open(descendant))
    return descriptors


def descendants(pid: int) -> Iterator[int]:
    """Yield the numbers of the descendants of a process, except those that left it."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def _children(pid: int) -> list[int]:
    pids: list[bytes] = []
    with suppress(OSError):  # it is gone
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb", 0) as file:
                pids += file.read().split()
    return list(map(int, pids))


def _await(family: list[int]) -> None:
    end = now() + MAX_ENDING_SECONDS
    remaining = set(family)
    while remaining and (time := end - now()) > 0:
        waiting = select.poll()
        for member in remaining:
            waiting.register(member, select.POLLIN)
        remaining -= {member for member, _ in waiting.poll(time * 1000)}
