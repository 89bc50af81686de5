"""List the classes that may pass between processes: arena's own records only."""

from __future__ import annotations

import importlib
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

from arena.errors import ArenaError

#: Modules whose records may be named; nothing is imported for any other name.
_MODULE = re.compile(r"arena(\.[a-z0-9]\w*)+", re.ASCII)

#: The kinds of numbers that an array may have: bool, int, unsigned, float.
ARRAY_KINDS = "biuf"


class DecodeError(Exception):
    """Bytes that :func:`arena.executors.encoding.encode` did not write."""


def require_record(kind: type) -> type:
    """Return the class. Raises TypeError unless it is a record's that can be found by its name."""
    if not _is_record(kind) or find(f"{kind.__module__}:{kind.__qualname__}") is not kind:
        raise TypeError(f"a {kind.__module__}.{kind.__qualname__} is not sent between processes")
    return kind


def _is_record(kind: object) -> bool:
    if not isinstance(kind, type):
        return False
    named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    return named or is_dataclass(kind) or issubclass(kind, (Enum, ArenaError))


@cache
def find(name: str) -> type:
    """Return the class of records of that name. Raises DecodeError if arena has none."""
    module, _, path = name.partition(":")
    if _MODULE.fullmatch(module):
        try:
            kind = attrgetter(path)(importlib.import_module(module))
        except (ImportError, AttributeError):
            kind = None
        if _is_record(kind) and kind.__module__ == module:
            return kind  # type: ignore[no-any-return]  # _is_record says that it is a type
    raise DecodeError(f"{name[:60]!r} is not a record of arena's")


def names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(kind))
