"""Run many tasks at once in threads of this process, for players that arena mostly waits for.

It suits players that are servers or language models: a game that waits for an answer costs neither
a processor nor a process. All else takes turns (:mod:`arena.executors.turns`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Any, Generic

from arena.errors import Abandoned, ArenaError, OutOfBudget, WorkerError
from arena.executors.base import Result, Task, TaskFailed, Tasks
from arena.executors.serial import descriptor_to_error
from arena.executors.turns import Turns

#: Bytes of the stack of a thread, of which there may be many. A recursive player has as many as in
#: the first thread of a process.
_STACK = 8 << 20


class ThreadExecutor:
    """An executor with as many tasks at once as it has workers, each a thread of this process."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run. A player may end the process, as it may with ``serial``."""
        turns = Turns()
        with turns.turn():
            pool = _ThreadPool(work, turns)
            try:
                while True:
                    while pool.out < self.workers and (task := tasks.next_task()) is not None:
                        pool.begin(task)
                    if not pool.out:
                        return
                    yield pool.result()
            finally:
                pool.end()


class _ThreadPool(Generic[Task, Result]):
    """Threads, of which there are as many as have been needed at once."""

    def __init__(self, work: Callable[[Task], Result], turns: Turns) -> None:
        self._work, self._turns = work, turns
        self._tasks: SimpleQueue[tuple[Task] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Task, Any, BaseException | None]] = SimpleQueue()
        self._threads = 0
        #: How many tasks are in work.
        self.out = 0

    def begin(self, task: Task) -> None:
        """Give a task to a thread, which does it soon."""
        if self.out == self._threads:
            self._threads += 1
            before = threading.stack_size(_STACK)
            try:
                threading.Thread(target=self._serve, daemon=True).start()
            finally:
                threading.stack_size(before)
        self.out += 1
        self._tasks.put((task,))

    def result(self) -> tuple[Task, Result]:
        """Return the next task that is done, with its result. Raises what ended its work."""
        with descriptor_to_error():
            task, result, error = self._turns.wait(self._done.get)
        self.out -= 1
        if error is None:
            return task, result
        if isinstance(error, OutOfBudget):
            self._finish()
        if isinstance(error, (ArenaError, KeyboardInterrupt)):
            raise error
        import traceback

        raise WorkerError("".join(traceback.format_exception(error)).rstrip()) from error

    def _finish(self) -> None:
        """Wait for all that is in work: what was paid for is kept."""
        while self.out:
            self._turns.wait(self._done.get)
            self.out -= 1

    def end(self) -> None:
        """Let all threads end: idle ones now, others where they wait next."""
        self._turns.end()
        for _ in range(self._threads):
            self._tasks.put(None)

    def _serve(self) -> None:
        """Do tasks until there are no more."""
        while (item := self._tasks.get()) is not None:
            [task] = item
            result, failure = None, None
            try:
                with self._turns.turn():
                    result = self._work(task)
            except Abandoned:
                return
            except BaseException as error:
                failure = error
            self._done.put((task, result, failure))
