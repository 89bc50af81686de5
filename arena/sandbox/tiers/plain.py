"""Give trusted code a process of its own: limits of memory and computing, nothing more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from arena.sandbox.tiers import access, ending, orders
from arena.sandbox.tiers.box import Box


class Plain:
    """Give a process of its own. See Tier."""

    name: ClassVar[str] = "process"
    stops: ClassVar[frozenset[str] | None] = frozenset(
        {"take memory"} if sys.platform == "linux" else ()
    )

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """Return the command. See Tier."""
        if sys.platform == "win32":
            raise OSError("Windows has no isolation, and no programs as players")
        return orders.with_locker(argv, box, parent=os.getpid(), guarded=box.is_guarded)

    def denied(self, path: Path) -> str:
        """Return why a player may not read a path. See Tier."""
        return access.denied(path)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End the player. See Tier. This misses a process that left its session and its parent."""
        ending.end_family(process)
