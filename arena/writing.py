"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.errors import UsageError, quoted
from arena.reading import located


def real_path(named: str, what: str = "output") -> Path:
    """Where a file really is, so that a link stays one; a device or a pipe as it was named.

    Raises UsageError, which says what the file is for, if links or the current folder lead nowhere.
    """
    path = Path(named)
    try:
        found = located(path)
    except UsageError as error:
        raise UsageError(f"{what} {quoted(named)}: {error}") from error
    special = path.exists() and not path.is_file() and not path.is_dir()
    return path if special else found


def check_target(path: Path) -> None:
    """UsageError unless a file can be written there."""
    folder = path.parent
    if path.exists() and not path.is_file() and not path.is_dir():
        return
    if not folder.is_dir():
        raise UsageError(f"output folder {str(folder)!r} does not exist")
    if path.is_dir():
        raise UsageError(f"output {str(path)!r} is a folder")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"output folder {str(folder)!r} cannot be written to")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace the file by the content; whatever goes wrong, it has its old content or the new.

    A device or a pipe is written to instead.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode_of(path: Path) -> int:
    """The permissions that writing the file in place would leave it with."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
