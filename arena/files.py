"""Read files with suspicion, and write them as a whole or not at all.

This is the one reader of files from others. A device might never end, a pipe never begin, and a
file be larger than the memory. The caller knows the name of the file. Errors of the reader do not
repeat it.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from arena.errors import UsageError, did_you_mean, quoted
from arena.rng import SEED_LIMIT

#: Larger files are not read as a whole; arena's own files are far smaller.
MAX_FILE_BYTES = 64 << 20

#: Message where the current folder was deleted.
GONE = "the current folder does not exist any more"

_MISSING = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}


def open_file(path: str | os.PathLike[str], most: int | None) -> BinaryIO:
    """Open a regular file of at most ``most`` bytes, or of any size if that is None.

    Raises UsageError, without the file's name, for a folder, a device, a pipe, or any other file
    that cannot be read.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError("is a folder" if stat.S_ISDIR(status.st_mode) else "is not a file")
        if most is not None and status.st_size > most:
            raise _too_large(most)
        return open(path, "rb")
    except OSError as error:
        raise UsageError(problem_of(error)) from error
    except ValueError as error:  # a null character
        raise UsageError("is not the name of a file") from error


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a file as a whole. Raises UsageError as :func:`open_file` does."""
    with open_file(path, most) as file:
        try:
            content = file.read(most + 1)  # it may grow, and some system files seem empty
        except OSError as error:
            raise UsageError(problem_of(error)) from error
    if len(content) > most:
        raise _too_large(most)
    return content


def read_text(path: str | os.PathLike[str], most: int) -> str:
    """Read a file of text, with or without a mark of its order of bytes, as :func:`read_bytes`."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8") from error


def lines_of(stream: TextIO, most: int) -> Iterator[str]:
    """Yield the lines of a stream. Raises UsageError if it has more than ``most`` characters."""
    remaining = most
    while line := stream.readline(remaining + 1):
        remaining -= len(line)
        if remaining < 0:
            raise _too_large(most)
        yield line


def located(named: str | os.PathLike[str]) -> Path:
    """Return where a file really is, or will be.

    Raises UsageError, without its name, for a loop of links and without a current folder.
    """
    try:
        os.stat(named)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UsageError(problem_of(error)) from error
    except ValueError as error:  # a null character
        raise UsageError("is not the name of a file") from error
    try:
        return Path(os.path.realpath(named))
    except FileNotFoundError as error:
        raise UsageError(GONE) from error


def problem_of(error: OSError) -> str:
    """Say in a few words why a file cannot be opened."""
    if error.errno == errno.ELOOP:
        return "too many levels of links"
    if error.errno not in _MISSING:
        return error.strerror or "cannot be read"
    try:
        os.getcwd()
    except FileNotFoundError:
        if not os.path.isabs(os.fsdecode(error.filename or "")):
            return GONE
    folder = os.path.dirname(os.fsdecode(error.filename or ""))
    if folder and not os.path.isdir(folder):
        return f"there is no folder {quoted(folder)}"
    name = os.path.basename(os.fsdecode(error.filename or ""))
    return f"there is no such file{_alike(folder, name)}"


def _alike(folder: str, name: str) -> str:
    """Suggest the file of the folder that has the likest name, if one is alike enough."""
    try:
        return did_you_mean(name, os.listdir(folder or os.curdir)) if name else ""
    except OSError:
        return ""


def _too_large(most: int) -> UsageError:
    return UsageError(f"is larger than {most >> 20} MiB")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read the JSON in a file.

    Raises UsageError, without the file's name, for any error in it, such as a key that an object
    has twice. Whole numbers of more than 20 digits are cut to SEED_LIMIT.
    """
    return parse_json(read_bytes(path, MAX_FILE_BYTES))


def parse_json(content: bytes) -> Any:
    """Return the JSON in a file's content, or in a part of it. See :func:`read_json`."""
    try:
        text = content.decode("utf-8")
        return json.loads(text, object_pairs_hook=_unique, parse_int=_whole)
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"is not JSON{where}" if text.strip() else "is empty") from error
    except MemoryError:
        raise UsageError("needs more memory than there is") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = Counter(name for name, _ in pairs)
        raise UsageError(f"the key {quoted(names.most_common(1)[0][0])} is there twice")
    return fields


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 20 else SEED_LIMIT


@contextmanager
def naming(what: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Let errors of the body about a file begin with its purpose and its name, as UsageErrors."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{what} {quoted(os.fspath(path))}: {problem_of(error)}") from error
    except UsageError as error:
        raise UsageError(f"{what} {quoted(os.fspath(path))}: {error}") from error


def real_path(named: str, what: str = "output") -> Path:
    """Return where a file really is, so that a link stays one. A device or a pipe is where it is
    named.

    Raises UsageError, with the file's purpose, if links or the current folder lead nowhere.
    """
    path = Path(named)
    with naming(what, named):
        path_found = located(path)
    special = path.exists() and not path.is_file() and not path.is_dir()
    return path if special else path_found


def check_target(path: Path) -> None:
    """Raise UsageError unless a file can be written there."""
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
    """Replace the file by the content. After any failure it has its old content or the new.

    Writes directly to a device or a pipe.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with replacing(path) as file:
        file.write(data)


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Fill a folder next to the target, which it then becomes as a whole or not at all."""
    import shutil
    import tempfile

    beside = Path(tempfile.mkdtemp(prefix=".", dir=target.parent))
    try:
        yield beside
        beside.chmod(0o755)
        beside.rename(target)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Write a new file, piece by piece. After any failure it has its old content, or none.

    A device or a pipe stays what it is: it is written to.
    """
    from tempfile import mkstemp

    if path.exists() and not path.is_file():
        with open(path, "wb") as file:
            yield file
        return

    handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode_of(path: Path) -> int:
    """Return the permissions that writing the file in place would leave."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
