"""Read TOML with suspicion, and find the line of a key in it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from arena.errors import UsageError
from arena.files import read_bytes

#: A contest is written by hand; larger files are something else.
MAX_CONTEST_BYTES = 1 << 20

#: The keys that lead to a value, from the outermost.
KeyPath = tuple[str, ...]


def read_toml(file: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    """Return the content and the text of a file. Raises UsageError, without its name, on errors."""
    try:
        text = read_bytes(file, MAX_CONTEST_BYTES).decode("utf-8")
        return tomllib.loads(text), text
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"is not TOML: {error}") from error
    except ValueError as error:
        raise UsageError("is not TOML: it has a number of too many digits") from error
    except RecursionError as error:
        raise UsageError("is not TOML: it is nested too deeply") from error


def line_of(text: str, path: KeyPath) -> int | None:
    """Return the line, from 1, of the key at that path, or of the innermost table around it.

    >>> line_of("seed = 7\\n[entrants.al]\\nlimits = {memory = 64}", ("entrants", "al", "limits"))
    3
    """
    line, longest = None, 0
    for number, keys in _keys(text):
        shared = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(keys, path, strict=False))
        )
        if shared > longest:
            line, longest = number, shared
    return line


def _keys(text: str) -> Iterator[tuple[int, KeyPath]]:
    """Yield the lines that begin a key or a table, with the paths of these."""
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            if path := _path(line):
                table = path
                yield number, path
        elif "=" in line and (path := _path(f"{line.partition('=')[0]} = 0")):
            yield number, (*table, *path)


def _path(line: str) -> KeyPath:
    """Return the path that a line of TOML makes on its own, or empty if it is not one."""
    try:
        value: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(value, (dict, list)) and value:
        if isinstance(value, list):
            value = value[0]
            continue
        (key, value), *_ = value.items()
        path.append(key)
    return tuple(path)
