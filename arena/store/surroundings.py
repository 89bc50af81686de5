"""Note the machine and the versions that results were played with."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import version

from arena.executors.base import usable_cores


def surroundings() -> dict[str, str]:
    """Return these columns of a run or a regression run."""
    return {
        "arena_version": version("proving-arena"),
        "python_version": platform.python_version(),
        "machine": f"{platform.node()}, {platform.platform()}, {usable_cores()} cores",
    }


#: Seconds to wait for git.
MAX_GIT_SECONDS = 10

#: Writes the full name of the commit, and ``+`` after it if a file that git keeps has changed.
_DESCRIBE = ("git", "describe", "--always", "--exclude=*", "--abbrev=40", "--dirty=+")


def commit() -> str:
    """Return the commit of the repository that the current folder is in. The result is empty
    without one.
    """
    try:
        process = subprocess.run(  # noqa: S603 (its arguments are constant)
            _DESCRIBE, capture_output=True, text=True, check=False, timeout=MAX_GIT_SECONDS
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""
