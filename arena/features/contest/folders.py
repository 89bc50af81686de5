"""Lay out hand-ins as files: players are files, and the store has the content for good."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.clock import now, sleep
from arena.errors import UsageError, quoted
from arena.features.contest.packages import player_of

#: The name of the file that is locked; no entrant has such a name.
LOCK = ".lock"

#: Seconds to wait for a lock.
MAX_LOCK_SECONDS = 20.0

#: The modes of the folders and the files of a hand-in, and of the folder of all of an entrant's.
_FOLDER_MODE, _FILE_MODE, _CLOSED_MODE = 0o755, 0o644, 0o700


class LaidOut(NamedTuple):
    """The files of a hand-in: that of the player, and the folder if there are data in it."""

    player: Path
    data: str


def lay_out(folder: Path, files: Mapping[str, bytes]) -> LaidOut:
    """Make a folder have these files and no others, unless it has.

    The folder comes to be at once, whole: a process that ends meanwhile leaves no part of it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.chmod(_CLOSED_MODE)
    if _files_of(folder) == dict(files):
        _open_up(folder)
    else:
        new_folder = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
        try:
            for path, content in files.items():
                file = new_folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            _open_up(new_folder)
            with suppress(FileNotFoundError):
                shutil.rmtree(folder)
            os.replace(new_folder, folder)
        except BaseException:
            shutil.rmtree(new_folder, ignore_errors=True)
            raise
    has_data = any(not path.endswith(".py") for path in files)
    return LaidOut(folder / player_of(files), str(folder) if has_data else "")


def _open_up(folder: Path) -> None:
    """Let all users read a hand-in, whatever the umask: a player of root's is another user.

    The folder of the entrant, above, is the server's alone.
    """
    for path in (folder, *folder.rglob("*")):
        path.chmod(_FOLDER_MODE if path.is_dir() else _FILE_MODE)


def clear(folder: Path) -> None:
    """Remove the files of a hand-in that does not play: the store has its content."""
    shutil.rmtree(folder, ignore_errors=True)


def _files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths. A link is another file than it should be."""
    return {
        path.relative_to(folder).as_posix(): b"a link" if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }


def locked(folder: Path) -> int:
    """Return a descriptor that locks a folder, until all processes that inherit it have ended.

    It is of an empty file, so that it leads nowhere. Waits a while for the processes of a server
    that was killed. Raises UsageError if another one has the folder.
    """
    import fcntl  # Windows has none, where no tier for strangers works

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    end = now() + MAX_LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except OSError:
            if now() >= end:
                os.close(descriptor)
                problem = "another server conducts the contest of"
                raise UsageError(f"{problem} {quoted(str(folder))}") from None
        sleep(0.1)
