"""Set the limits of the system (``setrlimit``) for a player's process."""

from __future__ import annotations

from arena.sandbox.tiers.box import Limits

#: Address space per byte of memory: much of it is reserved, and never used.
SPACE = 4

#: Descriptors, and threads of a player that may have only one process.
DESCRIPTORS = 64
THREADS = 64

_MIB = 1 << 20
_STACK = 64 * _MIB


def resources(limits: Limits, is_python: bool) -> dict[str, int]:
    """Return the limits by their names in the module ``resource``.

    Programs may reserve any address space, as some runtimes do.
    """
    space = {"RLIMIT_AS": SPACE * limits.memory * _MIB} if is_python else {}
    return space | {
        "RLIMIT_DATA": limits.memory * _MIB,
        "RLIMIT_STACK": min(limits.memory * _MIB, _STACK),
        "RLIMIT_CPU": limits.cpu,
        "RLIMIT_FSIZE": limits.output,
        "RLIMIT_NOFILE": DESCRIPTORS,
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
    }


def tasks(limits: Limits) -> int:
    """Return how many processes and threads it may have."""
    return limits.processes if limits.processes > 1 else THREADS
