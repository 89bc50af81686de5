"""The contract of a tier, which keeps a player's process apart, and what the player may have."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

#: All attempts of ``selftest/attempts.py``, by name: what a tier that stops everything stops.
EVERYTHING = frozenset(
    {
        "change a mode",
        "connect by tcp",
        "connect to a socket in a folder",
        "connect to an abstract socket",
        "cut a file",
        "leave a daemon",
        "list its folder",
        "make a namespace",
        "move to another core",
        "open a file by its number",
        "open another memory",
        "outlive the arena",
        "read a file beside it",
        "read a file by a detour",
        "read a file elsewhere",
        "run a program",
        "see another environment",
        "see the parents environment",
        "send by udp",
        "signal another",
        "slow another down",
        "start a process",
        "take memory",
        "take shared memory",
        "use io uring",
        "write a new file",
        "write its own file",
    }
)


@dataclass(frozen=True)
class Limits:
    """Limits of one player."""

    #: MiB of memory that each of its processes may have.
    memory: int
    #: Processes and threads that it may have at once, where the tier can tell them from others.
    #: With 1 it may start no process, but have some threads.
    processes: int
    #: Seconds of computing after which a process is killed, whatever else fails.
    cpu: int
    #: Bytes that a file may have.
    output: int


@dataclass(frozen=True)
class Box:
    """What one player may have."""

    limits: Limits
    #: Files and folders that it may read, beside those of the system and, for a Python player, of
    #: the interpreter. It may write none of them.
    readable: tuple[Path, ...]
    #: All that it sees of the environment. The tiers do not set it: start the command with it.
    environment: Mapping[str, str]
    #: Whether the command is a Python interpreter, flags and a script.
    is_python: bool
    #: Descriptors that the player gets beside 0, 1 and 2, under the same numbers.
    keep_fds: tuple[int, ...] = ()
    #: Where it starts. What it may read there is what is readable.
    folder: Path = field(default=Path("/"))


class Tier(Protocol):
    """A way to keep a player apart. It has no state."""

    name: ClassVar[str]
    #: The attempts, as ``attempts.py`` names them, that get nowhere in this tier.
    stops: ClassVar[frozenset[str]]

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """The command to start instead of ``argv`` so that it runs within the tier.

        Start it with ``close_fds=True, pass_fds=box.keep_fds, start_new_session=True,
        env=box.environment`` and from the main thread: a player is killed when the thread that
        started it ends. OSError if the tier is not to be had.
        """

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the player and all that it started, at once, and wait until they are gone."""


def is_within(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a path is one of the folders or in one."""
    return any(path == folder or folder in path.parents for folder in folders)
