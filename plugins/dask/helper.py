"""Keep a process next to a Dask worker, which plays what the worker's threads are asked for.

A Dask worker runs tasks in threads and may not fork workers of its own. Signal handlers need the
main thread, and the processes of isolated players end with the thread that started them. So arena's
own loop plays in a process of its own. It ends when the Dask worker ends, for then a pipe does.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from arena.errors import ArenaError, PluginError, describe
from arena.executors.endings import describe_ending
from arena.executors.logs import fields_of
from arena.executors.passable_classes import DecodeError
from arena.executors.pipes import ResultPipe
from arena.executors.worker import serve
from arena.plugins.dask.parcels import unpack

#: Seconds between two looks whether the answer is still waited for.
WAITING_LOOK_SECONDS = 1.0

_START = "from arena.plugins.dask.helper import main; main()"


class HelperExit(Exception):
    """A helper ended instead of answering: the message says how."""


class Helper:
    """A process that imports some modules, and then does the work of a parcel."""

    def __init__(self, modules: Iterable[str]) -> None:
        far_tasks, self._tasks = Pipe(duplex=False)
        self._pipe, far_answers = Pipe(duplex=False)
        far_life, self._life = Pipe(duplex=False)
        far = [pipe.fileno() for pipe in (far_tasks, far_answers, far_life)]
        words = [*map(str, far), *modules]
        path = os.pathsep.join(filter(None, sys.path))
        self._popen = subprocess.Popen(  # noqa: S603  (arena's own)
            [sys.executable, "-c", _START, *words],
            stdin=subprocess.DEVNULL,
            pass_fds=far,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        )
        for pipe in (far_tasks, far_answers, far_life):
            pipe.close()
        self._answers = ResultPipe(self._pipe.fileno(), self._popen.pid)
        self._given = 0
        #: Ends it when it has been idle for long.
        self.timer = threading.Timer(0, self.end)

    def begin(self, folder: Path, level: int | None) -> None:
        """Make it do the work in a folder, and log what has that level."""
        with suppress(OSError):  # one that has died is noticed by its missing answer
            self._tasks.send((folder, level))

    def ask(self, task: Any, is_wanted: Callable[[], bool]) -> bytes:
        """Return the answer to a task. Raises HelperExit without one: the helper has ended."""
        self._given += 1
        with suppress(OSError):  # one that has died is noticed by its missing answer
            self._tasks.send((self._given, task))
        try:
            while True:
                wait([self._pipe], WAITING_LOOK_SECONDS)
                if (answer := self._answers.receive(self._given)) is not None:
                    return answer
                if not is_wanted():
                    raise HelperExit("no process waits for its answer")
        except EOFError:
            raise HelperExit(self.end(WAITING_LOOK_SECONDS)) from None
        except DecodeError as error:
            self.end()
            raise HelperExit(f"its answer cannot be believed: {error}") from None
        except BaseException:
            self.end()
            raise

    def kill(self) -> None:
        """End it at once, so that its caller learns of it."""
        self._popen.kill()

    def end(self, grace: float = 0.0) -> str:
        """End it, and say how it ended, after at most ``grace`` seconds for what it does itself."""
        with suppress(subprocess.TimeoutExpired):  # a pipe can close before its process ends
            self._popen.wait(grace)
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._tasks, self._pipe, self._life):
            pipe.close()
        return describe_ending(self._popen.returncode)


def main() -> None:
    """Do tasks until there are none: the program of a helper."""
    pipes, modules = map(int, sys.argv[1:4]), sys.argv[4:]
    tasks, answers, life = pipes
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    multiprocessing.current_process().daemon = True  # what needs a worker is in one
    for module in modules:
        with suppress(Exception):  # what needs it fails again
            import_module(module)
    requests = Connection(tasks, writable=False)
    try:
        folder, level = requests.recv()
    except EOFError:
        return
    work = _LoggedWork(_work_in(folder), level)
    serve(requests, Connection(answers, readable=False), work, None, ())


def _end_with(pipe: int) -> None:
    """End this process when the pipe ends."""
    os.read(pipe, 1)
    os._exit(1)


def _work_in(folder: Path) -> Callable[[Any], Any]:
    try:
        return unpack(folder)
    except ArenaError as error:
        return partial(_fail, error)
    except Exception as error:
        problem = f"what is to be played cannot be read on this worker: {describe(error)}"
        return partial(_fail, PluginError(problem))


def _fail(error: ArenaError, _task: Any) -> Any:
    raise error


class _LoggedWork:
    """The work, which returns its result or error, and what it logged."""

    def __init__(self, work: Callable[[Any], Any], level: int | None) -> None:
        self._work = work
        self._records: SimpleQueue[logging.LogRecord] = SimpleQueue()
        if level is not None:
            root = logging.getLogger()
            root.handlers[:] = [QueueHandler(self._records)]  # which makes records plain
            root.setLevel(level)

    def __call__(self, task: Any) -> tuple[Any, list[dict[str, object]]]:
        """Do a task."""
        result: Any
        try:
            result = self._work(task)
        except ArenaError as error:
            result = error
        records = [self._records.get() for _ in range(self._records.qsize())]
        return result, list(map(fields_of, records))
