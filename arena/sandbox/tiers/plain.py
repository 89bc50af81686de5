"""The tier of a process and no more: limits of memory and computing, for code that is trusted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import ClassVar

from arena.sandbox.tiers import ending, orders
from arena.sandbox.tiers.box import Box


class Plain:
    """See Tier."""

    name: ClassVar[str] = "process"
    stops: ClassVar[frozenset[str]] = frozenset({"memory"} if sys.platform == "linux" else ())

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """See Tier."""
        if sys.platform == "win32":
            return list(argv)
        return orders.with_locker(argv, box, parent=os.getpid())

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """See Tier. A process that has left its session and its parent is not found."""
        ending.end_family(process)
