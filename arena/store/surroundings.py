"""Note the machine and the versions that results were played with."""

from __future__ import annotations

import platform
from importlib.metadata import version

from arena.executors.base import usable_cores


def surroundings() -> dict[str, str]:
    """Return these columns of a run or a night."""
    return {
        "arena_version": version("proving-arena"),
        "python_version": platform.python_version(),
        "machine": f"{platform.node()}, {platform.platform()}, {usable_cores()} cores",
    }
