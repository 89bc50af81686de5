"""Ending processes, at once and for certain."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress

from arena.clock import now

#: Seconds that killed processes get to be gone.
PATIENCE = 1.0


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those of its group, and wait for the first of them."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def end_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that descend from it, and wait until they are gone.

    If a descendant is the first of its namespace, nothing of that namespace is left.
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
    """Descriptors of the descendants, which unlike their numbers mean nobody else later."""
    found = []
    if hasattr(os, "pidfd_open"):
        for descendant in descendants(pid):
            with suppress(OSError):
                found.append(os.pidfd_open(descendant))
    return found


def descendants(pid: int) -> Iterator[int]:
    """The numbers of the processes that descend from one, as far as they have not left it."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def _children(pid: int) -> list[int]:
    found: list[bytes] = []
    with suppress(OSError):  # it is gone
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb", 0) as file:
                found += file.read().split()
    return list(map(int, found))


def _await(family: list[int]) -> None:
    end = now() + PATIENCE
    left = set(family)
    while left and (time := end - now()) > 0:
        waiting = select.poll()
        for member in left:
            waiting.register(member, select.POLLIN)
        left -= {member for member, _ in waiting.poll(time * 1000)}
