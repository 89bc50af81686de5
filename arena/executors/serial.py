"""Run tasks one by one in this process, which suits a debugger."""

from __future__ import annotations

from collections.abc import Callable, Generator

from arena.executors.base import Result, Task, TaskFailed, Tasks


class SerialExecutor:
    """An executor in this process, which a player can therefore end."""

    def __init__(self, workers: int = 1) -> None:
        """Accept ``workers`` for the contract; there is always one."""

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run."""
        while (task := tasks.next_task()) is not None:
            yield task, work(task)
