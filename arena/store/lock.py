"""Lock a run: one process at a time works on it, until that process ends."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import Connection

from arena.errors import StoreError, UsageError, quoted

try:
    import fcntl
except ImportError:  # a system without such locks: the user takes the risk
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")


class RunLock(ABC):
    """A lock on a run of a store, which ends with its process. See ``arena.store.sql.Store.lock``.

    A forked worker does not inherit it.
    """

    @abstractmethod
    def keep(self, work: Callable[[Connection, bool], T]) -> T:
        """Do work in a transaction of the run, which is on disk when this returns.

        If the answer to a commit was lost, the work is done again with True as its second argument:
        the store may have what it wrote. Raises StoreError if the store fails.
        """

    @abstractmethod
    def release(self) -> None:
        """Release the run to other processes, if that has not been done."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def refusal(run: int, name: str) -> UsageError:
    """Return the error for a run that another process plays."""
    return UsageError(f"run {run} of store {quoted(name)} is being played by another process")


class FileLock(RunLock):
    """A lock on one byte per run in a file next to the store. Raises UsageError if it is taken.

    The system releases such a lock when its process ends.
    """

    def __init__(
        self,
        file: Path,
        name: str,
        run: int,
        write: Callable[[], AbstractContextManager[Connection]],
    ) -> None:
        path, self._write = f"{file}-lock", write
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._file: int | None = os.open(path, flags, 0o666)
        except OSError as error:
            raise StoreError(f"store {quoted(name)}: {path}: {error.strerror}") from error
        if fcntl is not None:
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, run)
            except OSError:
                self.release()
                raise refusal(run, name) from None

    def keep(self, work: Callable[[Connection, bool], T]) -> T:
        """Do work in a transaction. A file's answer is not lost."""
        with self._write() as connection:
            return work(connection, False)

    def release(self) -> None:
        """Release the run to other processes, if that has not been done."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
