"""The limits of the system (``setrlimit``) that a player's process gets."""

from __future__ import annotations

from arena.sandbox.tiers.box import Limits

#: An address space is this many times the memory: much of it is reserved, and never used.
SPACE = 4

#: Descriptors, and threads of a player that may have no process but one.
DESCRIPTORS = 64
THREADS = 64

_MIB = 1 << 20
_STACK = 64 * _MIB


def resources(limits: Limits, is_python: bool) -> dict[str, int]:
    """The limits by their names in the module ``resource``.

    Programs may reserve as much address space as they like, which some runtimes do.
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
    """How many processes and threads it may have."""
    return limits.processes if limits.processes > 1 else THREADS
