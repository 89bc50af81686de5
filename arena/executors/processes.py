"""Run tasks in worker processes, so that players never share the scorekeeper's process.

A pool of the standard library fails every task when one worker dies. Here each worker has two pipes
of its own. One that dies is replaced, and its task is played again. Tasks are pickled, for workers
trust this process. Answers are data, for this process trusts no worker: it ends one that writes
anything else.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap
from multiprocessing.connection import Connection, wait
from typing import Any

from arena.clock import now
from arena.errors import ArenaError, UsageError, WorkerError
from arena.executors import logs, waiting
from arena.executors.base import (
    MAX_SILENT_SECONDS,
    MAX_TASK_ATTEMPTS,
    Result,
    Task,
    TaskFailed,
    Tasks,
)
from arena.executors.decoding import decode
from arena.executors.endings import describe_ending, signal_name, undisturbed
from arena.executors.passable_classes import DecodeError
from arena.executors.pipes import ResultPipe
from arena.executors.worker import serve
from arena.model.defaults import HAS_WORKERS
from arena.player_file.plugin import PluginParcel, loaded_files

#: Seconds that a worker gets to leave by itself when there is nothing left to do.
MAX_LEAVING_SECONDS = 1.0

logger = logging.getLogger(__name__)


class ProcessExecutor:
    """An executor with worker processes, forked where the system can."""

    def __init__(
        self, workers: int, start_method: str | None = None, attempts: int = MAX_TASK_ATTEMPTS
    ) -> None:
        """Raise UsageError where there are no worker processes."""
        if not HAS_WORKERS:
            raise UsageError(
                "arena has no worker processes on Windows: games are played by --executor serial"
                " (docs/stability.md says what works where)"
            )
        methods = multiprocessing.get_all_start_methods()
        self.workers, self.attempts = workers, attempts
        self.start_method = start_method or ("fork" if "fork" in methods else "spawn")

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """Run tasks. See Executor.run. Gives up a task that kills a worker at each attempt."""
        context = multiprocessing.get_context(self.start_method)
        with logs.forwarded(context) as channel:
            pool = _ProcessPool(context, work, channel, self.workers)
            try:
                yield from _play_all(pool, tasks, self.attempts)
                pool.dismiss()
            finally:
                with undisturbed():
                    pool.kill()


def _play_all(
    pool: _ProcessPool, tasks: Tasks[Task], attempts: int
) -> Generator[tuple[Task, Any], None, None]:
    retries: list[_ProcessTask] = []
    while True:
        while pool.has_room() and (job := retries.pop() if retries else _next_job(tasks)):
            pool.free().take(job)
        if not pool.busy():
            return
        for worker in pool.ready():
            job = worker.job
            assert job is not None
            try:
                answer = worker.answer()
            except (EOFError, DecodeError) as error:
                failed = pool.drop(worker, error)
                job.deaths += 1
                if job.deaths < attempts:
                    retries.append(job)
                else:
                    yield job.task, failed
                continue
            if answer is None:
                continue
            if isinstance(answer[0], ArenaError):
                raise answer[0]
            yield job.task, answer[0]


@dataclass
class _ProcessTask:
    """A task, and how many workers it has killed."""

    task: Any
    deaths: int = 0
    #: When a worker got it, and whether arena has noticed that no answer comes.
    since: float = 0.0
    is_late: bool = False


def _next_job(tasks: Tasks[Any]) -> _ProcessTask | None:
    task = tasks.next_task()
    return None if task is None else _ProcessTask(task)


class _WorkerProcess:
    """A worker process, this side's ends of its pipes, and the task that it does, if any."""

    def __init__(
        self, process: Any, tasks: Connection, answers: Connection, memory: mmap | None
    ) -> None:
        self.process, self.tasks, self.pipe = process, tasks, answers
        self._memory = memory
        self.job: _ProcessTask | None = None
        self._answers = ResultPipe(answers.fileno(), process.pid)
        #: How many tasks it was given, which is the number of the last.
        self._number = 0
        # Ready when the process has ended. Its sentinel is a pipe that a process which a player
        # started may hold open; a process descriptor, where there are such, is not.
        self.ended = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None

    @property
    def end(self) -> int:
        """The handle that becomes ready when the process has ended."""
        return self.process.sentinel if self.ended is None else self.ended

    def take(self, job: _ProcessTask) -> None:
        """Give a task to a worker."""
        self.job = job
        job.since, job.is_late = now(), False
        self._number += 1
        with suppress(OSError):  # a worker that has died is noticed by its missing answer
            self.tasks.send((self._number, job.task))

    def answer(self) -> tuple[Any] | None:
        """Return the result if it is complete.

        Raises EOFError if the worker died instead, and DecodeError if it wrote anything else.
        """
        ended = bool(wait([self.end], 0))  # asked first: what it wrote before is read below
        message = self._answers.receive(self._number)
        if message is not None:
            self.job = None
            return (decode(message),)
        if ended:
            raise EOFError
        return None

    @property
    def waits_for(self) -> str:
        """What it waits for, as a sentence without its end; empty for nothing or unknown."""
        return "" if self._memory is None else waiting.read(self._memory)

    def dismiss(self) -> None:
        """Tell the worker that no task is left."""
        with suppress(OSError):
            self.tasks.send((0, None))

    def kill(self) -> TaskFailed:
        """Kill the process, and return how it ended."""
        self.process.kill()
        self.process.join()
        self.tasks.close()
        self.pipe.close()
        if self.ended is not None:
            os.close(self.ended)
            self.ended = None
        code: int = self.process.exitcode
        self.process.close()  # else its pipes last until the garbage is collected
        return TaskFailed(describe_ending(code), signal_name(code))


class _ProcessPool:
    """The workers of one run, each started when a task is waiting for it."""

    def __init__(
        self, context: Any, work: Callable[[Any], Any], channel: logs.LogTarget, most: int
    ) -> None:
        self.context, self.work, self.channel, self.most = context, work, channel, most
        self.workers: list[_WorkerProcess] = []
        self._has_warned = False

    def has_room(self) -> bool:
        """Return whether a worker is idle or may be started."""
        return len(self.busy()) < self.most

    def free(self) -> _WorkerProcess:
        """Return an idle worker, or a new one."""
        idle = [worker for worker in self.workers if worker.job is None]
        return idle[0] if idle else self._start_worker()

    def _start_worker(self) -> _WorkerProcess:
        far_tasks, tasks = self.context.Pipe(duplex=False)
        answers, far_answers = self.context.Pipe(duplex=False)
        forked = self.context.get_start_method() == "fork"
        others = [end for worker in self.workers for end in (worker.tasks, worker.pipe)]
        inherited = [tasks, answers, *others] if forked else []
        memory = waiting.make_memory() if forked else None  # it cannot be pickled
        work = self.work if forked or not loaded_files() else PluginParcel(self.work)
        process = self.context.Process(
            target=serve,
            args=(far_tasks, far_answers, work, self.channel, inherited, memory),
            daemon=True,
        )
        with undisturbed():  # else a signal would leave an unknown worker behind
            try:
                process.start()
            except OSError as error:
                for end in (tasks, answers):
                    end.close()
                raise WorkerError(f"cannot start a worker process: {error.strerror}") from error
            finally:
                far_tasks.close()
                far_answers.close()
            worker = _WorkerProcess(process, tasks, answers, memory)
            self.workers.append(worker)
        return worker

    def busy(self) -> list[_WorkerProcess]:
        """Return the workers with a task."""
        return [worker for worker in self.workers if worker.job is not None]

    def ready(self) -> list[_WorkerProcess]:
        """Wait until some busy workers have answered or died, and return these."""
        busy = self.busy()
        handles = [handle for worker in busy for handle in (worker.pipe, worker.end)]
        while True:
            seconds = self._notice_late(busy)
            if woken := set(wait(handles, seconds)):
                return [w for w in busy if w.pipe in woken or w.end in woken]

    def _notice_late(self, busy: list[_WorkerProcess]) -> float | None:
        """Log the tasks that take long. Return the seconds until there may be more to log.

        None if there will not be more. A long task is logged once in a run, a stopped worker
        always.
        """
        remaining = None
        for worker in busy:
            job = worker.job
            if job is None or job.is_late:
                continue
            seconds = job.since + MAX_SILENT_SECONDS - now()
            if seconds > 0:
                remaining = seconds if remaining is None else min(remaining, seconds)
                continue
            job.is_late = True
            if (is_stopped := _is_stopped(worker.process.pid)) or not self._has_warned:
                self._warn(job.task, is_stopped, worker.waits_for)
        return remaining

    def _warn(self, task: Any, is_stopped: bool, waits_for: str) -> None:
        """Log that a task takes long, if the work can say what it is."""
        on_stall: Callable[..., str] = getattr(self.work, "on_stall", lambda *_: "")
        self._has_warned = True
        if line := on_stall(task, waits_for) if waits_for else on_stall(task):
            why = ", and the worker was stopped by a signal" if is_stopped else ""
            seconds = f"{MAX_SILENT_SECONDS:g} seconds"
            logger.warning("arena: no result for %s%s: %s", seconds, why, line)

    def drop(self, worker: _WorkerProcess, why: EOFError | DecodeError) -> TaskFailed:
        """Drop a worker that died or cannot be trusted. Return how it ended."""
        self.workers.remove(worker)
        if isinstance(why, DecodeError):
            worker.kill()
            return TaskFailed(f"its answer cannot be believed: {why}")
        # A pipe can close shortly before its process has ended.
        worker.process.join(MAX_LEAVING_SECONDS)
        return worker.kill()

    def dismiss(self) -> None:
        """Let idle workers leave by themselves, so that their last log records arrive."""
        for worker in self.workers:
            worker.dismiss()
        leaving = {worker.end for worker in self.workers}
        end = now() + MAX_LEAVING_SECONDS
        while leaving and (remaining := end - now()) > 0:
            leaving.difference_update(wait(list(leaving), remaining))

    def kill(self) -> None:
        """End every worker at once."""
        for worker in self.workers:
            worker.kill()


def _is_stopped(pid: int) -> bool:
    """Return whether a signal has stopped a process, where the system tells."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"T", b"t")
    except (OSError, IndexError):
        return False
