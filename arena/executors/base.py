"""The contract of an executor, which does tasks in any order and in any number at once.

Processes on other machines can keep this contract, because no byte of a result depends on the
process that does a task, on the time, or on other tasks. Pairs of games have numbers, and
everything that a result depends on goes by these numbers: the random stream of each game, the looks
of a sequential test, and the order in which counts are folded. So the queue may cut pairs into
tasks by the measured speed, and the executor may give results back in any order.

An executor owes three things: it gives the result of each task that it took exactly once, it
gives what ``work`` returned for that very task, and it asks the queue again after each result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from typing import Generic, Protocol, TypeVar

from arena.dataclass import dataclass

Task = TypeVar("Task")
Task_co = TypeVar("Task_co", covariant=True)
Result = TypeVar("Result")


#: How often the same task may kill a worker before it is given up.
MAX_TASK_ATTEMPTS = 3

#: Seconds that a task should take: what a crash may cost, and a display may wait for.
SECONDS_A_TASK = 0.1

#: Seconds without any answer, after which the work is asked for what to say about that.
MAX_SILENT_SECONDS = 10.0


@dataclass(frozen=True)
class TaskFailed:
    """The result of a task that was given up."""

    reason: str
    #: The signal that killed its worker, such as SIGKILL; empty if none did.
    killed_by: str = ""


class Tasks(Protocol[Task_co]):
    """The queue that an executor pulls tasks from."""

    def next_task(self) -> Task_co | None:
        """Hand out the next task, each once. Return None if there is none at present.

        A result that the executor gives back may make more tasks: ask again after each. None while
        no task is out means that there will be no more. Ask in the thread that iterates over
        ``Executor.run``, and only when a worker is free: the queue cuts a task at that moment.
        """


class TaskList(Generic[Task]):
    """A queue of tasks that are known beforehand.

    >>> tasks = TaskList("ab")
    >>> tasks.next_task(), tasks.next_task(), tasks.next_task()
    ('a', 'b', None)
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)

    def next_task(self) -> Task | None:
        """See Tasks.next_task."""
        return next(self._tasks, None)


class Executor(Protocol):
    """A runner of tasks that yields results as they are ready.

    One for which a task is dear may have an attribute ``seconds_a_task``, more than SECONDS_A_TASK:
    the queue reads it whenever it cuts a task.
    """

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """Yield every task once, with ``work(task)`` or the reason why there is no result.

        End when the queue has no task and none is out. Closing the iterator stops all work at once.

        ``work`` depends on the task alone. It may run in another process or on another machine,
        where arena and the players are the same, and again after a worker died: ``work`` can be
        pickled if the players can, tasks and results always. An ArenaError in ``work`` ends the
        run. Any other exception is a bug, and ends it as a WorkerError.

        If no answer comes for long, ``work.on_stall(task)``, if there is such a method, returns a
        line to log. An executor that knows what the worker waits for adds that as a second
        argument, such as ``it waits for a move of stockfish``. If ``work.rounds_by_machine``, if
        there is such an attribute, is true, then results are the same on processors of one type and
        with the same libraries only: an executor on several machines says where they differ.
        """


def seconds_a_task(executor: Executor) -> float:
    """Return the seconds that a task of this executor should take."""
    return float(getattr(executor, "seconds_a_task", SECONDS_A_TASK))


#: Makes an executor for a number of workers.
MakeExecutor = Callable[[int], Executor]


def usable_cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
