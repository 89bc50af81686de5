"""Lock a run: one process at a time works on it, until that process ends."""

from __future__ import annotations

import os
from typing import Self

from arena.errors import StoreError, UsageError, quoted
from arena.store.sql import Store

try:
    import fcntl
except ImportError:  # a system without such locks: the user takes the risk
    fcntl = None  # type: ignore[assignment]


class RunLock:
    """A lock on a run of a store. Raises UsageError if another process has it.

    It locks one byte per run in a file beside the store. The system releases such a lock when its
    process ends, and a forked worker does not inherit it.
    """

    def __init__(self, store: Store, run: int) -> None:
        path, name = f"{store.path}-lock", quoted(store.name)
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._file: int | None = os.open(path, flags, 0o666)
        except OSError as error:
            raise StoreError(f"store {name}: {path}: {error.strerror}") from error
        if fcntl is not None:
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, run)
            except OSError:
                self.release()
                raise UsageError(
                    f"run {run} of store {name} is being played by another process"
                ) from None

    def release(self) -> None:
        """Release the run to other processes, if that has not been done."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
