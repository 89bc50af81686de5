"""Run one piece of work in a process of its own, where a player cannot end the program."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial

from arena.errors import PlayerFault
from arena.executors.base import Result, Task, TaskFailed, TaskList
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.model.defaults import HAS_WORKERS


def run_isolated(work: Callable[[], Result]) -> Result:
    """Return the result of the work, run in a process of its own.

    An ArenaError of the work comes out here. Raises PlayerFault if its process ends: only a
    player's code can have done that. Within a worker, and where there are none, the work runs in
    place.
    """
    if multiprocessing.current_process().daemon:
        return work()
    with closing(map_isolated(partial(_ignore, work), [0])) as answers:
        return next(answers)


def map_isolated(
    work: Callable[[Task], Result], tasks: Sequence[Task]
) -> Generator[Result, None, None]:
    """Do the same for several tasks in turn, in one process, or here where there are no workers."""
    executor = ProcessExecutor(1, attempts=1) if HAS_WORKERS else SerialExecutor()
    with closing(executor.run(work, TaskList(tasks))) as answers:
        for _, answer in answers:
            if isinstance(answer, TaskFailed):
                raise PlayerFault(f"a player ended the process that it was run in: {answer.reason}")
            yield answer


def _ignore(work: Callable[[], Result], _task: int) -> Result:
    return work()
