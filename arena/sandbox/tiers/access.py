"""Find out whether the user that a player runs as may read a file, and say why it may not."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.errors import quoted

#: The bits of a mode that a user needs: to read a file, and to enter a folder.
_READ, _ENTER = 4, 1


def denied(path: Path) -> str:
    """Return why the user that runs arena, and its players, may not read a path.

    The text is empty if they may.
    """
    right = _needed_right(path)
    if not os.path.exists(path) or os.access(path, right):
        return ""
    whose = "u" if path.stat().st_uid == os.geteuid() else "o"
    return _problem("the user that runs arena and its players", path, right, whose)


def denied_to(user: int, path: Path, shared: Iterable[Path] = ()) -> str:
    """Return why a user of no group, which root's players become, may not read a path.

    The text is empty if it may. The folders above do not count, except those in a ``shared``
    folder, which a player sees whole.
    """
    roots = [folder for folder in shared if folder in path.parents]
    above = [folder for folder in path.parents if any(root in folder.parents for root in roots)]
    for step in (*reversed(above), path):
        right = _needed_right(step)
        if not _grants(step, user, right):
            player = "a player that root starts in tier bwrap is another user, which"
            return _problem(player, step, right, "o")
    return ""


def _needed_right(path: Path) -> int:
    return _ENTER if path.is_dir() else _READ


def _grants(path: Path, user: int, right: int) -> bool:
    """Return whether a file's mode grants a user a right. A file that is gone does."""
    try:
        status = path.stat()
    except OSError:
        return True
    if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return True
    shift = 6 if status.st_uid == user else 3 if status.st_gid == user else 0
    return bool(status.st_mode >> shift & right)


def _problem(reader: str, path: Path, right: int, whose: str) -> str:
    act, mode = ("enter folder", "rx") if right == _ENTER else ("read file", "r")
    remedy = f"chmod {whose}+{mode} {shlex.quote(str(path))}"
    return f"{reader} may not {act} {quoted(str(path))}: {remedy}"
