"""Files that are read with suspicion."""

from __future__ import annotations

import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

from arena.errors import UsageError, quoted
from arena.rng import SEED_LIMIT

#: Larger files are not read: nothing that arena writes as JSON to be read again is near that.
MOST_BYTES = 64 << 20


def read_json(path: Path) -> Any:
    """Read the JSON in a file.

    Raises UsageError, without the file's name, for whatever is wrong with it. A key that an object
    has twice is wrong. Whole numbers of more than 20 digits are cut to SEED_LIMIT.
    """
    content = _read(path)
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


def _read(path: Path) -> bytes:
    """Read a regular file of at most MOST_BYTES: a device might never end, a pipe never begin."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UsageError("is a folder" if stat.S_ISDIR(found.st_mode) else "is not a file")
        content = b""
        if found.st_size <= MOST_BYTES:
            with path.open("rb") as file:  # which may grow, and some of the system's seem empty
                content = file.read(MOST_BYTES + 1)
        if max(found.st_size, len(content)) > MOST_BYTES:
            raise UsageError(f"has more than {MOST_BYTES >> 20} MiB")
        return content
    except OSError as error:
        raise UsageError(str(error.strerror)) from error
    except ValueError as error:  # a null character
        raise UsageError("is not the name of a file") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = Counter(name for name, _ in pairs)
        raise UsageError(f"the key {quoted(names.most_common(1)[0][0])} is there twice")
    return found


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 20 else SEED_LIMIT
