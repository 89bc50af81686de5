"""Executors that are interrupted, or finish tasks in another order than they were given."""

from __future__ import annotations

import random
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


class Shuffled:
    """An executor that takes up to this many tasks, and gives the result of any of them next."""

    def __init__(self, seed: int, workers: int) -> None:
        self.rng, self.workers = random.Random(seed), workers

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        working: list[Task] = []
        while True:
            working += islice(iter(tasks.next_task, None), self.workers - len(working))
            if not working:
                return
            task = working.pop(self.rng.randrange(len(working)))
            yield task, work(task)
