"""Isolate by locks: the process itself gives up files, network, signals and new processes.

This is for systems that do not let users have namespaces. A player cannot start another process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from arena.sandbox.tiers import access, ending, landlock, orders, seccomp
from arena.sandbox.tiers.box import Box

_DEVICES = [Path("/dev", name) for name in ("random", "urandom")]
_FACTS = [Path(name) for name in ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")]


class LockTier:
    """Isolate by locks. See Tier."""

    name: ClassVar[str] = "locked"
    stops: ClassVar[frozenset[str] | None] = None

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """Return the command. See Tier."""
        if sys.platform != "linux":
            raise OSError("only Linux has Landlock")
        if landlock.version() == 0:
            raise OSError("this system has no Landlock")
        if not seccomp.is_available():
            raise OSError("there is no filter of system calls for this processor")
        user = orders.identity()
        return orders.with_locker(
            argv,
            box,
            resources=_limits(box, user),
            locked=True,
            parent=os.getpid(),
            user=user,
            read_all=user is not None,
            landlock=_files(argv, box),
            seccomp=seccomp.program(
                seccomp.Rules(
                    starts=False,
                    runs=not box.is_python,
                    has_namespaces=False,
                    cuts_guarded=landlock.guards_cuts(),
                )
            ),
        )

    def denied(self, path: Path) -> str:
        """Return why a player may not read a path. See Tier. One of root's may read all."""
        return access.denied(path)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End the player. See Tier."""
        ending.end_group(process)


def _limits(box: Box, user: int | None) -> dict[str, int]:
    """Return the limits, with room for all threads of the machine if the user is shared.

    The limit of threads counts every program of a user, and the player may not have its own user.
    """
    limits = orders.process_limits(box)
    if user is None:
        with open("/proc/loadavg", encoding="ascii") as file:
            limits["RLIMIT_NPROC"] += int(file.read().split()[3].partition("/")[2])
    return limits


def _files(argv: Sequence[str], box: Box) -> dict[str, Any]:
    paths = [*box.readable, *_DEVICES, *_FACTS, Path("/proc/self")]
    paths += orders.interpreter() if box.is_python else orders.program_files(argv[0])
    readable = [*orders.system(), *paths]
    return landlock.ruleset(readable, [Path("/dev/null")], runs=not box.is_python)
