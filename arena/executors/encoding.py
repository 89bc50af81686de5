"""Values as bytes between processes: plain data and arena's own records, and nothing that runs.

Pickle runs what its text says, so arena reads no pickle that a player can have written. Values are
written in columns: a list of named tuples becomes one column a field, a column of tuples becomes
their lengths and one column of all their items. So thousands of games take a few calls. Every item
takes at least one byte, so that a short text cannot ask for much memory.
:mod:`arena.executors.decoding` reads them.
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from itertools import chain
from operator import attrgetter
from typing import Any

from arena.errors import ArenaError
from arena.executors.passable_classes import ARRAY_KINDS, names, require_record

#: The number of bytes or items.
SIZE = struct.Struct("<Q")


def encode(value: Any) -> bytes:
    """Return the bytes of a value. Raises TypeError for a value of a type that is not sent."""
    out: list[bytes] = []
    _write([value], out)
    return b"".join(out)


# A column is a tag, the number of its items, and what the tag asks for.


def _write(values: list[Any], out: list[bytes]) -> None:
    kinds = list(dict.fromkeys(map(type, values)))
    if len(kinds) > 255:
        raise TypeError("a column has more than 255 types")
    if len(kinds) != 1:
        out += (b"*", SIZE.pack(len(values)), bytes([len(kinds)]))
        out.append(
            bytes(map({kind: n for n, kind in enumerate(kinds)}.__getitem__, map(type, values)))
        )
        for kind in kinds:
            _write([value for value in values if type(value) is kind], out)
        return
    [kind] = kinds
    write = _WRITERS.get(kind)
    if write is not None:
        write(values, out)
    elif kind.__module__ == "numpy" and kind.__name__ == "ndarray":
        _write_arrays(values, out)
    else:
        _write_records(require_record(kind), values, out)


def _head(tag: bytes, values: Sequence[Any], out: list[bytes]) -> None:
    out += (tag, SIZE.pack(len(values)))


def _write_none(values: list[None], out: list[bytes]) -> None:
    _head(b"N", values, out)
    out.append(bytes(len(values)))


def _write_bools(values: list[bool], out: list[bytes]) -> None:
    _head(b"?", values, out)
    out.append(bytes(values))


def _write_ints(values: list[int], out: list[bytes]) -> None:
    """Write numbers as bytes, as 64 bits, or at any length."""
    try:
        small = bytes(values)
    except ValueError:
        pass
    else:
        _head(b"b", values, out)
        out.append(small)
        return
    try:
        words = array("q", values).tobytes()
    except OverflowError:
        _head(b"i", values, out)
        _write_bytes(
            [n.to_bytes(n.bit_length() // 8 + 1, "little", signed=True) for n in values], out
        )
    else:
        _head(b"q", values, out)
        out.append(words)


def _write_floats(values: list[float], out: list[bytes]) -> None:
    _head(b"d", values, out)
    out.append(array("d", values).tobytes())


def _write_texts(values: list[str], out: list[bytes]) -> None:
    _head(b"s", values, out)
    text = "".join(values).encode("utf-8", "surrogatepass")
    out += (array("Q", map(len, values)).tobytes(), SIZE.pack(len(text)), text)


def _write_bytes(values: list[bytes], out: list[bytes]) -> None:
    _head(b"y", values, out)
    joined = b"".join(values)
    out += (array("Q", map(len, values)).tobytes(), SIZE.pack(len(joined)), joined)


def _items(tag: bytes) -> Callable[[list[Any], list[bytes]], None]:
    """Return what writes collections: the length of each, and all items as one column."""

    def write(values: list[Any], out: list[bytes]) -> None:
        _head(tag, values, out)
        out.append(array("Q", map(len, values)).tobytes())
        _write(list(chain.from_iterable(values)), out)

    return write


def _mapping(tag: bytes) -> Callable[[list[Any], list[bytes]], None]:
    """Return what writes mappings: the length of each, all keys, and all values."""

    def write(values: list[Any], out: list[bytes]) -> None:
        _items(tag)(values, out)
        _write(list(chain.from_iterable(value.values() for value in values)), out)

    return write


def _write_fractions(values: list[Fraction], out: list[bytes]) -> None:
    _head(b"/", values, out)
    _write([value.numerator for value in values], out)
    _write([value.denominator for value in values], out)


def _write_arrays(values: list[Any], out: list[bytes]) -> None:
    _head(b"a", values, out)
    for value in values:
        if value.dtype.kind not in ARRAY_KINDS:
            raise TypeError(f"an array of {value.dtype} is not sent")
        _write([value.dtype.str, value.shape], out)
        _write_bytes([value.tobytes()], out)


def _write_records(kind: type, values: list[Any], out: list[bytes]) -> None:
    _head(b"r", values, out)
    _write_texts([f"{kind.__module__}:{kind.__qualname__}"], out)
    for column in _columns(kind, values):
        _write(column, out)


def _columns(kind: type, values: list[Any]) -> Iterable[list[Any]]:
    if issubclass(kind, Enum):
        return [[value._name_ for value in values]]
    if issubclass(kind, ArenaError):
        return [[error.args for error in values], [vars(error) for error in values]]
    if issubclass(kind, tuple):
        return map(list, zip(*values, strict=True))
    return [list(map(attrgetter(name), values)) for name in names(kind)]


_WRITERS: dict[type, Callable[[list[Any], list[bytes]], None]] = {
    type(None): _write_none,
    bool: _write_bools,
    int: _write_ints,
    float: _write_floats,
    str: _write_texts,
    bytes: _write_bytes,
    tuple: _items(b"("),
    list: _items(b"["),
    set: _items(b"{"),
    frozenset: _items(b"<"),
    dict: _mapping(b":"),
    Counter: _mapping(b"#"),
    Fraction: _write_fractions,
}
