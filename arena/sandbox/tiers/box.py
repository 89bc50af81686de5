"""Define the contract of a tier, which isolates a player's process, and what a player may have."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import ClassVar, Protocol

from arena.dataclass import dataclass


@dataclass(frozen=True)
class BoxLimits:
    """Limits of one player."""

    #: MiB of memory for each of its processes.
    memory: int
    #: Processes and threads at once, where the tier can tell them from others. With 1 it may not
    #: start a process, but may have some threads.
    processes: int
    #: Seconds of computing after which the system kills a process, whatever else fails.
    cpu: int
    #: Bytes of the largest file.
    output: int


@dataclass(frozen=True)
class Box:
    """The limits of one player."""

    limits: BoxLimits
    #: Files and folders that it may read, in addition to those of the system and, for a Python
    #: player, of the interpreter. It cannot write to them.
    readable: tuple[Path, ...]
    #: The whole environment that it sees. The tiers do not set it: start the command with it.
    environment: Mapping[str, str]
    #: Whether the command is a Python interpreter, flags and a script.
    is_python: bool
    #: Descriptors in addition to 0, 1 and 2 that the player gets, under the same numbers.
    keep_fds: tuple[int, ...] = ()
    #: Its starting folder, which need not be readable.
    folder: Path = field(default=Path("/"))
    #: True if a process stands above the program and ends all that the program has started, even
    #: what left it, as soon as the program or the arena ends. Namespaces do so anyway.
    is_guarded: bool = False


class Tier(Protocol):
    """A way to isolate a player. It does not keep state."""

    name: ClassVar[str]
    #: The attempts, by their names in ``attempts.py``, that this tier stops; None if it stops all.
    stops: ClassVar[frozenset[str] | None]

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """Return the command to start instead of ``argv`` so that it runs within the tier.

        Start it with ``close_fds=True, pass_fds=box.keep_fds, start_new_session=True,
        env=box.environment`` and from the main thread: the system kills a player when the thread
        that started it ends. Raises OSError if the tier is not available.
        """

    def denied(self, path: Path) -> str:
        """Return why a player may not read a file, or enter a folder, that its box names.

        The reason is one line with the remedy. It is empty if the player may.
        """

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the player and all that it started, at once, and wait until they are gone."""


def is_within(path: Path, folders: Sequence[Path]) -> bool:
    """Return whether a path is one of the folders or in one."""
    return any(path == folder or folder in path.parents for folder in folders)
