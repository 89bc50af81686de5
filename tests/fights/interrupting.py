"""An executor for tests of what is kept after an interrupt."""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import islice

from arena.executors.base import Result, Task, TaskFailed, Tasks


class Interrupting:
    """An executor that is interrupted after some tasks."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        for task in islice(iter(tasks.next_task, None), self.after):
            yield task, work(task)
        raise KeyboardInterrupt
