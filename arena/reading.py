"""Files that are read with suspicion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.errors import UsageError, quoted
from arena.rng import SEED_LIMIT

#: Larger files are not read: nothing that arena writes as JSON to be read again is near that.
MOST_BYTES = 64 << 20


def read_json(path: Path) -> Any:
    """The JSON in a file; UsageError, without the file's name, for whatever is wrong with it.

    A key that is there twice is wrong; whole numbers of more than 20 digits are cut to SEED_LIMIT.
    """
    try:
        if not path.is_file():
            raise UsageError("is a folder" if path.is_dir() else "is no file")
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"has more than {MOST_BYTES >> 20} MiB")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(str(error.strerror)) from error
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8") from error
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"is not JSON{where}" if text.strip() else "is empty") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"the key {quoted(twice)} is there twice")
    return found


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 20 else SEED_LIMIT
