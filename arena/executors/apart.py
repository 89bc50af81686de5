"""One piece of work in a process of its own, for what a player could end the whole program in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from arena.errors import PlayerFault
from arena.executors.base import Result, Task, TaskFailed
from arena.executors.processes import ProcessExecutor


def run_apart(work: Callable[[], Result]) -> Result:
    """What the work returns; an ArenaError that it raises is raised here.

    PlayerFault if its process ends: only a player's code can have done that. Within a worker it is
    apart already.
    """
    if multiprocessing.current_process().daemon:
        return work()
    return next(map_apart(partial(_ignore, work), [0]))


def map_apart(work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
    """The same for several tasks in turn, in one process."""
    for _, answer in ProcessExecutor(1, attempts=1).run(work, tasks):
        if isinstance(answer, TaskFailed):
            raise PlayerFault(f"a player ended the process that it was run in: {answer.reason}")
        yield answer


def _ignore(work: Callable[[], Result], _task: int) -> Result:
    return work()
