"""Play a run by volunteers: the executor behind ``arena serve --workers``."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from tempfile import TemporaryFile
from typing import Any

from arena.clock import now
from arena.errors import ArenaError, UsageError, WorkerError, one_line
from arena.executors.base import SECONDS_A_TASK, Result, Task, TaskFailed, Tasks
from arena.volunteers.channel import SOCKET_PREFIX, DeskSocket
from arena.volunteers.desk import Desk, Ledger
from arena.volunteers.parts import RunParts

logger = logging.getLogger(__name__)

#: Seconds between two looks at leases that run out.
DESK_LOOK_SECONDS = 0.25

#: Seconds of the server's own worker below which it has failed, and how often in a row it may.
MIN_LIFE_SECONDS, MAX_FAILURES = 10.0, 3


class WorkerDismissed(ArenaError):
    """A worker sent a wrong game.

    All of its games are forgotten. The run goes on where it is resumed.
    """


class VolunteerExecutor:
    """An executor whose tasks are played by machines that ask for them through a socket.

    The server's own worker, with as many processes as ``workers``, plays a ``share`` of them again.
    """

    def __init__(self, workers: int, path: str, share: float) -> None:
        self.workers, self.path, self.share = workers, path, share
        self._ledger: Ledger | None = None
        self._sends_code = False
        self._desk: Desk | None = None

    def keep_in(self, ledger: Ledger, sends_code: bool) -> None:
        """Keep there who played what. With ``sends_code`` workers get the code of players."""
        self._ledger, self._sends_code = ledger, sends_code

    @property
    def seconds_a_task(self) -> float:
        """See Executor."""
        return SECONDS_A_TASK if self._desk is None else self._desk.seconds_a_task

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        """See Executor.run. Raises WorkerDismissed if a worker sent a wrong game."""
        if self._ledger is None:
            raise UsageError("volunteers play for a store: add --store FILE")
        engines: Any = getattr(work, "engines", None)
        if engines is None:
            raise UsageError("volunteers play games by calls: leave --engine out")
        parts = RunParts([engine.pairing for engine in engines], self._sends_code)
        queue: Any = tasks
        desk = self._desk = Desk(parts, queue, self._ledger, self.share)
        with DeskSocket(self.path) as channel, _OwnWorker(self.path, self.workers) as server_worker:
            while not desk.is_idle or desk.fetch():
                server_worker.look()
                channel.serve(desk.answer, DESK_LOOK_SECONDS)
                desk.expire()
                if desk.restart_reason:
                    raise WorkerDismissed(desk.restart_reason)
                settled: Any = desk.settled()
                yield from settled


class _OwnWorker:
    """The process that plays parts again: it runs as volunteers do, and ends with the desk."""

    def __init__(self, path: str, workers: int) -> None:
        self._words = ["work", f"{SOCKET_PREFIX}{path}", "-j", str(workers)]
        self._process: subprocess.Popen[bytes] | None = None
        self._started, self._failures = 0.0, 0
        self._complaints = TemporaryFile()  # noqa: SIM115 - it lasts as long as this

    def __enter__(self) -> _OwnWorker:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._complaints.close()

    def _last_complaint(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f": {one_line(lines[-1])}" if lines else ""

    def look(self) -> None:
        """Start it if it does not run. Raises WorkerError if it fails again and again."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            is_failure = now() < self._started + MIN_LIFE_SECONDS
            self._failures = self._failures + 1 if is_failure else 0
            if self._failures == MAX_FAILURES:
                problem = "the process that plays parts again ends as soon as it begins"
                raise WorkerError(f"{problem}{self._last_complaint()}")
            logger.warning("arena: the process that plays parts again ended; it is started again")
        self._started = now()
        self._process = subprocess.Popen(  # noqa: S603 (arena's own)
            [sys.executable, "-m", "arena", *self._words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
