"""Run tasks one by one in this process, which suits a debugger."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout, suppress

from arena.executors.base import Result, Task, TaskFailed, Tasks


class SerialExecutor:
    """An executor in this process, which a player can therefore end."""

    def __init__(self, workers: int = 1) -> None:
        """Accept ``workers`` for the contract. There is always one."""

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run."""
        while (task := tasks.next_task()) is not None:
            with _output_to_error():
                result = work(task)
            yield task, result


@contextmanager
def _output_to_error() -> Iterator[None]:
    """Send this process's standard output to standard error: what runs may print.

    A player that shares the process must not write into arena's own output, by whatever way.
    """
    with descriptor_to_error(), redirect_stdout(sys.stderr):
        yield


@contextmanager
def descriptor_to_error() -> Iterator[None]:
    """Send what is written to this process's descriptor of standard output to standard error."""
    saved = None
    with suppress(OSError, ValueError, AttributeError):  # a stream that is closed or not a file
        sys.stdout.flush()
        saved = os.dup(1)
        os.dup2(2, 1)
    try:
        yield
    finally:
        if saved is not None:
            os.dup2(saved, 1)
            os.close(saved)
