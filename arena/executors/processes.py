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
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from arena.clock import now
from arena.errors import ArenaError, WorkerError
from arena.executors import logs
from arena.executors.base import ATTEMPTS, Result, Task, TaskFailed
from arena.player_code import hide_command_line

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
        self, work: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run. A task that kills so many workers as there are attempts is given up."""
        context = multiprocessing.get_context(self.start_method)
        with logs.forwarded(context) as channel:
            crew = _Crew(context, work, channel, self.workers)
            try:
                yield from _play_all(crew, iter(tasks), self.attempts)
                crew.dismiss()
            finally:
                crew.kill()


def _play_all(
    crew: _Crew, tasks: Iterator[Task], attempts: int
) -> Generator[tuple[Task, Any], None, None]:
    again: list[_Job] = []
    while True:
        while crew.has_room() and (job := again.pop() if again else _next_job(tasks)):
            crew.free().take(job)
        if not crew.busy():
            return
        for worker in crew.ready():
            job = worker.job
            assert job is not None
            try:
                answer = worker.answer()
            except EOFError:
                died = crew.lay_off(worker)
                job.deaths += 1
                if job.deaths < attempts:
                    again.append(job)
                else:
                    yield job.task, TaskFailed(died)
                continue
            if isinstance(answer, ArenaError):
                raise answer
            yield job.task, answer


@dataclass
class _Job:
    """A task, and how many workers it has killed."""

    task: Any
    deaths: int = 0


def _next_job(tasks: Iterator[Any]) -> _Job | None:
    for task in tasks:
        return _Job(task)
    return None


class _Worker:
    """A worker process, this side's end of its pipe, and what it plays, if anything."""

    def __init__(self, process: Any, pipe: Connection) -> None:
        self.process, self.pipe = process, pipe
        self.job: _Job | None = None
        # Ready when the process has ended. Its sentinel is a pipe that a process which a player
        # started may hold open; a process descriptor, where there are such, is not.
        self.ended = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None

    @property
    def end(self) -> int:
        """What becomes ready when the process has ended."""
        return self.process.sentinel if self.ended is None else self.ended

    def take(self, job: _Job) -> None:
        """Have a task played."""
        self.job = job
        with suppress(OSError):  # a worker that has died is noticed by its missing answer
            self.pipe.send(job.task)

    def answer(self) -> Any:
        """The result that is waiting; EOFError if the worker died instead."""
        self.job = None
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
        self.process.close()  # else its pipes last until the garbage is collected
        with suppress(ValueError):
            if code < 0:
                return f"killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


class _Crew:
    """The workers of one run, hired when there is something to do for them."""

    def __init__(
        self, context: Any, work: Callable[[Any], Any], channel: logs.Channel, most: int
    ) -> None:
        self.context, self.work, self.channel, self.most = context, work, channel, most
        self.workers: list[_Worker] = []

    def has_room(self) -> bool:
        """Whether a worker is idle or may be hired."""
        return len(self.busy()) < self.most

    def free(self) -> _Worker:
        """An idle worker, or a new one."""
        idle = [worker for worker in self.workers if worker.job is None]
        return idle[0] if idle else self._hire()

    def _hire(self) -> _Worker:
        near, far = self.context.Pipe()
        forked = self.context.get_start_method() == "fork"
        inherited = [near, *(worker.pipe for worker in self.workers)] if forked else []
        process = self.context.Process(
            target=_serve, args=(far, self.work, self.channel, inherited), daemon=True
        )
        process.start()
        far.close()
        worker = _Worker(process, near)
        self.workers.append(worker)
        return worker

    def busy(self) -> list[_Worker]:
        """Workers with a task."""
        return [worker for worker in self.workers if worker.job is not None]

    def ready(self) -> list[_Worker]:
        """Wait until some busy workers have answered or died, and return those."""
        busy = self.busy()
        woken = set(wait([thing for worker in busy for thing in (worker.pipe, worker.end)]))
        return [w for w in busy if w.pipe in woken or w.end in woken]

    def lay_off(self, worker: _Worker) -> str:
        """Be done with a worker that died; say how it ended."""
        self.workers.remove(worker)
        worker.process.join(FAREWELL)  # a pipe can close shortly before its process has ended
        return worker.kill()

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
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with suppress(OSError):  # what a player prints must not end up in the arena's table
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    hide_command_line()
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
