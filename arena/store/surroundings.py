"""Where and with what something was played, as it is noted beside results."""

from __future__ import annotations

import platform
from importlib.metadata import version

from arena.executors.base import usable_cores


def surroundings() -> dict[str, str]:
    """The columns of a run or a night that say so."""
    return {
        "arena_version": version("proving-arena"),
        "python_version": platform.python_version(),
        "machine": f"{platform.node()}, {platform.platform()}, {usable_cores()} cores",
    }
