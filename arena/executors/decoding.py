"""Read the values that :mod:`arena.executors.encoding` wrote, with suspicion.

The reader calls no function that the bytes name. It makes plain values, arrays of numbers, and
arena's records, of which it fills in the fields and runs none of the code.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import Any

from arena.errors import ArenaError
from arena.executors.encoding import SIZE
from arena.executors.passable_classes import ARRAY_KINDS, DecodeError, find, names


def decode(data: bytes) -> Any:
    """Return the value that ``encode`` wrote. Raises DecodeError for any other bytes."""
    try:
        reader = _ColumnReader(data)
        (value,) = reader.column()
        reader.finish()
    except DecodeError:
        raise
    except Exception as error:
        raise DecodeError(f"{type(error).__name__}: {error}") from error
    return value


class _ColumnReader:
    """A reader of columns that never reads beyond the end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._position = data, 0

    def finish(self) -> None:
        """Raise DecodeError if something is left."""
        if self._position != len(self._data):
            raise DecodeError("it goes on after its end")

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        start, self._position = self._position, self._position + size
        if self._position > len(self._data):
            raise DecodeError("it ends too early")
        return self._data[start : self._position]

    def size(self) -> int:
        """Return a number of bytes or of items, of which each takes a byte."""
        size: int = SIZE.unpack(self.take(SIZE.size))[0]
        if size > len(self._data):
            raise DecodeError("it counts more than it has")
        return size

    def words(self, code: str, count: int) -> array[Any]:
        """Return numbers of 64 bits."""
        words = array(code)
        words.frombytes(self.take(8 * count))
        return words

    def column(self) -> list[Any]:
        """Return the items of a column."""
        read = _READERS.get(self.take(1))
        if read is None:
            raise DecodeError("it has an unknown tag")
        return read(self, self.size())


def _read_mixed(reader: _ColumnReader, count: int) -> list[Any]:
    [kinds] = reader.take(1)
    which = reader.take(count)
    columns = [iter(reader.column()) for _ in range(kinds)]
    values = [next(columns[kind]) for kind in which]
    if any(True for column in columns for _ in column):
        raise DecodeError("a column is too long")
    return values


def _read_ints(reader: _ColumnReader, count: int) -> list[int]:
    texts = _exactly(count, reader.column())
    return [int.from_bytes(text, "little", signed=True) for text in texts]


def _read_texts(reader: _ColumnReader, count: int) -> list[str]:
    lengths = reader.words("Q", count)
    return _cut(reader.take(reader.size()).decode("utf-8", "surrogatepass"), lengths)


def _read_bytes(reader: _ColumnReader, count: int) -> list[bytes]:
    lengths = reader.words("Q", count)
    return _cut(reader.take(reader.size()), lengths)


def _cut(joined: Any, lengths: Iterable[int]) -> list[Any]:
    """Return pieces of these lengths, which are all of it."""
    pieces, start = [], 0
    for length in lengths:
        pieces.append(joined[start : start + length])
        start += length
    if start != len(joined):
        raise DecodeError("lengths do not add up")
    return pieces


def _read_items(make: Callable[[Iterable[Any]], Any]) -> Callable[[_ColumnReader, int], list[Any]]:
    def read(reader: _ColumnReader, count: int) -> list[Any]:
        lengths = reader.words("Q", count)
        items = _exactly(sum(lengths), reader.column())
        iterator = iter(items)
        return [make(islice(iterator, length)) for length in lengths]

    return read


def _read_mappings(
    make: Callable[[dict[Any, Any]], Any],
) -> Callable[[_ColumnReader, int], list[Any]]:
    def read(reader: _ColumnReader, count: int) -> list[Any]:
        lengths = reader.words("Q", count)
        total = sum(lengths)
        items = zip(_exactly(total, reader.column()), _exactly(total, reader.column()), strict=True)
        return [make(dict(islice(items, length))) for length in lengths]

    return read


def _exactly(count: int, values: list[Any]) -> list[Any]:
    if len(values) != count:
        raise DecodeError("lengths do not add up")
    return values


def _read_fractions(reader: _ColumnReader, count: int) -> list[Fraction]:
    numerators, denominators = reader.column(), reader.column()
    return _exactly(count, list(map(Fraction, numerators, denominators)))


def _read_arrays(reader: _ColumnReader, count: int) -> list[Any]:
    import numpy as np

    arrays = []
    for _ in range(count):
        dtype, shape = reader.column()
        [raw] = reader.column()
        numbers = np.dtype(dtype)
        if numbers.kind not in ARRAY_KINDS:
            raise DecodeError("an array is not of numbers")
        arrays.append(np.frombuffer(bytearray(raw), numbers).reshape(shape))
    return arrays


def _read_records(reader: _ColumnReader, count: int) -> list[Any]:
    [name] = reader.column()
    kind: Any = find(name)
    if issubclass(kind, Enum):
        return _exactly(count, [kind.__members__[name] for name in reader.column()])
    if issubclass(kind, ArenaError):
        return [_error(kind, *of) for of in zip(reader.column(), reader.column(), strict=True)]
    if issubclass(kind, tuple):
        columns = [_exactly(count, reader.column()) for _ in kind._fields]
        return list(map(kind._make, zip(*columns, strict=True)))
    records = [object.__new__(kind) for _ in range(count)]
    for field in names(kind):
        for record, value in zip(records, reader.column(), strict=True):
            object.__setattr__(record, field, value)
    return records


def _error(kind: type[ArenaError], args: tuple[Any, ...], fields: dict[str, Any]) -> ArenaError:
    """Return the error without running what makes one."""
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(fields)
    return error


_READERS: dict[bytes, Callable[[_ColumnReader, int], list[Any]]] = {
    b"*": _read_mixed,
    b"N": lambda reader, count: [None] * len(reader.take(count)),
    b"?": lambda reader, count: list(map(bool, reader.take(count))),
    b"b": lambda reader, count: list(reader.take(count)),
    b"q": lambda reader, count: reader.words("q", count).tolist(),
    b"i": _read_ints,
    b"d": lambda reader, count: reader.words("d", count).tolist(),
    b"s": _read_texts,
    b"y": _read_bytes,
    b"(": _read_items(tuple),
    b"[": _read_items(list),
    b"{": _read_items(set),
    b"<": _read_items(frozenset),
    b":": _read_mappings(dict),
    b"#": _read_mappings(Counter),
    b"/": _read_fractions,
    b"a": _read_arrays,
    b"r": _read_records,
}
