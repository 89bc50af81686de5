"""Define the contract of an executor, which runs tasks in any order and number at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

#: How often the same task may kill a worker before it is given up.
ATTEMPTS = 3


@dataclass(frozen=True)
class TaskFailed:
    """The result of a task that was given up."""

    reason: str


class Executor(Protocol):
    """A runner of tasks that yields results as they are ready."""

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """Yield every task once, with ``work(task)`` or the reason why there is no result.

        Pull a task whenever a worker is idle. After exhaustion, ask again following each result:
        handling it may have produced more tasks.

        Where no answer comes for long, ``work.on_silence(task)``, if there is such a method, may
        be asked for a line to log.

        ``work`` depends on the task alone and may run in another process, and again after a worker
        died. An ArenaError in ``work`` ends the run; any other exception is a bug, and ends it as a
        WorkerError. Closing the iterator stops all work at once.
        """


#: Makes an executor for a number of workers.
MakeExecutor = Callable[[int], Executor]


def usable_cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
