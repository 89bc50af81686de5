"""Run tasks on the workers of a Dask cluster.

Arena itself says which worker does which task, one task a thread, so that the queue cuts a task
when a worker is free, as everywhere. Dask carries tasks and results, and knows which workers live.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Generator
from typing import Any

from arena.errors import ArenaError
from arena.executors.base import MAX_TASK_ATTEMPTS, Result, Task, TaskFailed, Tasks
from arena.executors.logs import hand_to
from arena.plugins.dask.cluster import Link
from arena.plugins.dask.parcels import pack
from arena.plugins.dask.pool import ClusterTask, WorkerPool

#: Seconds that a task should take: its way there and back takes about a hundredth of that.
DASK_TASK_SECONDS = 0.5

#: Seconds of the scheduler's that a task takes: with many workers tasks are longer.
TASK_SCHEDULING_SECONDS = 0.005


class DaskExecutor:
    """An executor on a cluster, which is started or joined for the first task."""

    def __init__(self, workers: int, address: str = "", attempts: int = MAX_TASK_ATTEMPTS) -> None:
        self.workers, self.address, self.attempts = workers, address, attempts
        self._link: Link | None = None
        self._end: weakref.finalize[[], Any] | None = None
        self._threads = workers

    @property
    def seconds_a_task(self) -> float:
        """See Executor. The scheduler hands out tasks one by one."""
        return max(DASK_TASK_SECONDS, 2 * TASK_SCHEDULING_SECONDS * self._threads)

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """Run tasks. See Executor.run. Gives up a task that kills a worker at each attempt."""
        parcel = pack(work)
        pool = WorkerPool(self._connected(), parcel, work)
        try:
            retries: list[ClusterTask] = []
            while True:
                while pool.has_room() and (job := retries.pop() if retries else _next_job(tasks)):
                    pool.give(job)
                self._threads = max(1, pool.threads)
                if not pool.is_busy and pool.has_room():
                    return
                for job, answer in pool.answers():
                    if not isinstance(answer, TaskFailed):
                        yield job.task, _result_of(answer)
                    elif job.deaths < self.attempts:
                        retries.append(job)
                    else:
                        yield job.task, answer
        finally:
            pool.leave()

    def _connected(self) -> Link:
        if self._link is None or self._link.client.status != "running":
            self.close()
            self._link = Link(self.workers, self.address)
            self._end = weakref.finalize(self, self._link.close)
        return self._link

    def close(self) -> None:
        """End the connection, and the cluster if it was started here."""
        if self._end is not None:
            self._end()


def _next_job(tasks: Tasks[Any]) -> ClusterTask | None:
    task = tasks.next_task()
    return None if task is None else ClusterTask(task)


def _result_of(answer: tuple[Any, list[dict[str, Any]]]) -> Any:
    """Return a result after logging what its worker did. Raises it if it is an error."""
    result, records = answer
    for fields in records:
        record = logging.makeLogRecord(fields)
        hand_to(logging.getLogger().handlers, record)
    if isinstance(result, ArenaError):
        raise result
    return result
