"""Play nothing now: the run waits in its store."""

from __future__ import annotations

from collections.abc import Callable, Generator

from arena.errors import KeptForLater
from arena.executors.base import Result, Task, TaskFailed, Tasks


class LaterExecutor:
    """An executor that leaves all tasks to the one that resumes the run."""

    def __init__(self, workers: int = 1) -> None:
        """Accept ``workers`` for the contract. There is none."""

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """Raise KeptForLater if there is something to do. See Executor.run."""
        yield from ()
        if tasks.next_task() is not None:
            raise KeptForLater("the executor 'later' plays nothing now")
