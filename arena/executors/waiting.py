"""Tell the process that started a worker what the worker waits for.

The worker writes into memory that both share, so that a write costs next to nothing and nobody
waits for a reader. Each process has one such text, which threads that take turns overwrite.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager

from arena import escape

#: The bytes that a text takes at most. The first byte is its length.
_SIZE = 256

#: The memory of this process, if it is a worker that shares one.
_shared: list[mmap.mmap] = []


def make_memory() -> mmap.mmap:
    """Return memory that a worker which is forked from now on has too."""
    return mmap.mmap(-1, _SIZE)


def share(memory: mmap.mmap | None) -> None:
    """Have this process write into that memory, or nowhere."""
    _shared[:] = [] if memory is None else [memory]


@contextmanager
def waiting_for(text: str) -> Iterator[None]:
    """Note what this process waits for meanwhile, as a sentence without its end."""
    if not _shared:
        yield
        return
    _write(text)
    try:
        yield
    finally:
        _write("")


def read(memory: mmap.mmap) -> str:
    """Return what the worker waits for, or an empty text.

    A player in the worker's process may write there too, so it is no more than a line to show.
    """
    return escape.line(memory[1 : 1 + memory[0]].decode(errors="ignore"))


def _write(text: str) -> None:
    [memory] = _shared
    content = text.encode(errors="replace")[: _SIZE - 1]
    memory[0] = 0  # a reader between the two sees nothing
    memory[1 : 1 + len(content)] = content
    memory[0] = len(content)
