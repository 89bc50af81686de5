"""Who works on a run: one process at a time, and nobody when that has ended in whatever way."""

from __future__ import annotations

import os

from arena.errors import StoreError, UsageError, quoted
from arena.store.sql import Store

try:
    import fcntl
except ImportError:  # a system without them has nothing like it; one works on a run at one's risk
    fcntl = None  # type: ignore[assignment]


class RunLock:
    """Holds a run of a store; UsageError if another process does.

    One byte a run of a file beside the store is locked. The system gives such a lock back when its
    process ends, and a forked worker does not inherit it.
    """

    def __init__(self, store: Store, run: int) -> None:
        path, name = f"{store.path}-lock", quoted(store.name)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
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
        """Let others have the run."""
        os.close(self._file)
