"""The executor with worker processes: players never run in the process that keeps the score.

A pool of the standard library fails every task when one worker dies. Here each worker has a pipe of
its own; one that dies is replaced, and its task is played again.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from arena.clock import now
from arena.errors import ArenaError, WorkerError
from arena.executors import logs
from arena.executors.base import ATTEMPTS, Result, Task, TaskFailed

#: Seconds that a worker gets to leave by itself when there is nothing left to do.
FAREWELL = 1.0


class ProcessExecutor:
    """Plays tasks in worker processes, forked where the system can."""

    def __init__(
        self, workers: int, start_method: str | None = None, attempts: int = ATTEMPTS
    ) -> None:
        methods = multiprocessing.get_all_start_methods()
        self.workers, self.attempts = workers, attempts
        self.start_method = start_method or ("fork" if "fork" in methods else "spawn")

    def run(
        self, work: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run. A task that kills so many workers as there are attempts is given up."""
        context = multiprocessing.get_context(self.start_method)
        with logs.forwarded(context) as channel:
            crew = _Crew(context, work, channel)
            try:
                for _ in range(min(self.workers, len(tasks))):
                    crew.hire()
                yield from _play_all(crew, tasks, self.attempts)
                crew.dismiss()
            finally:
                crew.kill()


def _play_all(
    crew: _Crew, tasks: Sequence[Task], attempts: int
) -> Generator[tuple[Task, Any], None, None]:
    fresh = iter(range(len(tasks)))
    again: list[int] = []
    deaths: Counter[int] = Counter()
    while True:
        for worker in crew.idle():
            index = again.pop() if again else next(fresh, None)
            if index is not None:
                worker.take(index, tasks[index])
        if not crew.busy():
            return
        for worker in crew.ready():
            index = worker.task
            try:
                answer = worker.answer()
            except EOFError:
                died = crew.replace(worker)
                deaths[index] += 1
                if deaths[index] < attempts:
                    again.append(index)
                else:
                    yield tasks[index], TaskFailed(died)
                continue
            if isinstance(answer, ArenaError):
                raise answer
            yield tasks[index], answer


class _Worker:
    """A worker process, this side's end of its pipe, and the index of the task it plays."""

    NOTHING = -1

    def __init__(self, process: Any, pipe: Connection) -> None:
        self.process, self.pipe, self.task = process, pipe, self.NOTHING
        # Ready when the process has ended. Its sentinel is a pipe that a process which a player
        # started may hold open; a process descriptor, where there are such, is not.
        self.ended = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None

    @property
    def end(self) -> int:
        """What becomes ready when the process has ended."""
        return self.process.sentinel if self.ended is None else self.ended

    def take(self, index: int, task: object) -> None:
        """Have a task played."""
        self.task = index
        with suppress(OSError):  # a worker that has died is noticed by its missing answer
            self.pipe.send(task)

    def answer(self) -> Any:
        """The result that is waiting; EOFError if the worker died instead."""
        self.task = self.NOTHING
        try:
            if not self.pipe.poll():
                raise EOFError
            return self.pipe.recv()
        except OSError:
            raise EOFError from None

    def kill(self) -> str:
        """End the process whatever it does, and say how it ended."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        if self.ended is not None:
            os.close(self.ended)
            self.ended = None
        code: int = self.process.exitcode
        with suppress(ValueError):
            if code < 0:
                return f"killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


class _Crew:
    """The workers of one run."""

    def __init__(self, context: Any, work: Callable[[Any], Any], channel: logs.Channel) -> None:
        self.context, self.work, self.channel = context, work, channel
        self.workers: list[_Worker] = []

    def hire(self) -> None:
        """Start one more worker."""
        near, far = self.context.Pipe()
        forked = self.context.get_start_method() == "fork"
        inherited = [near, *(worker.pipe for worker in self.workers)] if forked else []
        process = self.context.Process(
            target=_serve, args=(far, self.work, self.channel, inherited), daemon=True
        )
        process.start()
        far.close()
        self.workers.append(_Worker(process, near))

    def idle(self) -> list[_Worker]:
        """Workers without a task."""
        return [worker for worker in self.workers if worker.task == worker.NOTHING]

    def busy(self) -> list[_Worker]:
        """Workers with a task."""
        return [worker for worker in self.workers if worker.task != worker.NOTHING]

    def ready(self) -> list[_Worker]:
        """Wait until some busy workers have answered or died, and return those."""
        busy = self.busy()
        woken = set(wait([thing for worker in busy for thing in (worker.pipe, worker.end)]))
        return [w for w in busy if w.pipe in woken or w.end in woken]

    def replace(self, worker: _Worker) -> str:
        """Start a worker in place of one that died; say how that one ended."""
        self.workers.remove(worker)
        worker.process.join(FAREWELL)  # a pipe can close shortly before its process has ended
        how = worker.kill()
        self.hire()
        return how

    def dismiss(self) -> None:
        """Let idle workers leave by themselves, so that their last log records arrive."""
        for worker in self.workers:
            with suppress(OSError):
                worker.pipe.send(None)
        leaving = {worker.end for worker in self.workers}
        end = now() + FAREWELL
        while leaving and (left := end - now()) > 0:
            leaving.difference_update(wait(list(leaving), left))

    def kill(self) -> None:
        """End every worker at once."""
        for worker in self.workers:
            worker.kill()


def _serve(
    pipe: Connection,
    work: Callable[[Any], Any],
    channel: logs.Channel,
    inherited: list[Connection],
) -> None:
    """The life of a worker: receive a task, send its result, until None or the pipe ends."""
    for connection in inherited:  # else a sibling would keep this worker's pipe from ending
        connection.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with suppress(OSError):  # what a player prints must not end up in the arena's table
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    logs.send_to(channel)
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        try:
            answer = pickle.dumps(work(task))
        except ArenaError as error:
            answer = pickle.dumps(error)
        except Exception:
            answer = pickle.dumps(WorkerError(traceback.format_exc()))
        with suppress(OSError):  # nobody is left to read it
            pipe.send_bytes(answer)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
