"""Know the workers of a cluster, give them tasks, and take the answers."""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from arena import escape
from arena.clock import now
from arena.errors import WorkerError, describe
from arena.executors.base import TaskFailed
from arena.executors.decoding import decode
from arena.executors.passable_classes import DecodeError
from arena.plugins.dask.facts import difference, facts, other_programs, question, rounding
from arena.plugins.dask.parcels import Parcel
from arena.plugins.dask.worker import DIED, UNKNOWN

if TYPE_CHECKING:
    from distributed import Future

    from arena.plugins.dask.cluster import Link

#: Seconds without any answer, after which the work is asked for what to say about that: workers may
#: have to start, or play for others.
MAX_CLUSTER_SILENCE = 60.0

#: Tasks that a thread has at a time: it does one, and begins the next while the answer travels.
AHEAD = 2

#: Seconds between two looks at which workers there are.
POOL_LOOK_SECONDS = 1.0

#: Seconds to wait for a worker when there is none, and when all that there are cannot play.
MAX_WORKERLESS_SECONDS, MAX_UNFIT_SECONDS = 600.0, 10.0

#: Seconds to wait for a scheduler that is gone, and for a worker that is paused.
MAX_LOST_SECONDS, MAX_PAUSED_SECONDS = 10.0, 30.0

#: Seconds that workers get to forget a run.
MAX_FORGETTING_SECONDS = 2.0

#: The error of a run whose scheduler has died.
SCHEDULER_GONE = "the Dask scheduler is gone"

logger = logging.getLogger(__name__)


@dataclass
class ClusterTask:
    """A task, and how many workers died of it."""

    task: Any
    deaths: int = 0


@dataclass
class _ClusterWorker:
    """A worker of the cluster: what it has to do, and whether it may."""

    threads: int
    #: False until it has said what it has; None if that is not what is needed.
    is_fit: bool | None = False
    has_parcel: bool = False
    busy: int = 0


@dataclass
class _Given:
    """Something that a worker was asked: a job, or what it has."""

    job: ClusterTask | None
    worker: str
    future: Future


class WorkerPool:
    """The workers of one run."""

    def __init__(self, link: Link, parcel: Parcel, work: Any) -> None:
        self._client, self._parcel = link.client, parcel
        #: The words for when no worker answers, by the task.
        self._on_stall: Callable[[Any], str] | None = getattr(work, "on_stall", None)
        #: Whether other runs may follow on the same workers.
        self._is_joined = link.local is None
        self._run = uuid4().hex
        self._question = question(parcel, getattr(work, "rounds_by_machine", False))
        self._facts = facts(self._question)
        self._level = logging.getLogger().level if logging.getLogger().handlers else None
        self._workers: dict[str, _ClusterWorker] = {}
        self._given: dict[str, _Given] = {}
        self._ready: SimpleQueue[str] = SimpleQueue()
        self._ask = _stub()
        self._count = 0
        #: The differences of machines that were said.
        self._noted = set[str]()
        #: Why the last worker that was refused plays nothing.
        self._problem = ""
        self._is_waiting = False
        #: Since when workers are paused.
        self._paused: dict[str, float] = {}
        #: When workers were looked for, when one answered, and when one was known.
        self._looked = self._heard = self._last_known = now()
        self._look()

    @property
    def threads(self) -> int:
        """How many tasks can be done at once."""
        return sum(worker.threads for worker in self._workers.values() if worker.is_fit)

    @property
    def is_busy(self) -> bool:
        """Return whether a job is out."""
        return any(given.job is not None for given in self._given.values())

    def has_room(self) -> bool:
        """Return whether a worker can be given a task, which it does now or next."""
        return self._free() is not None

    def _free(self) -> str | None:
        """Return the worker with the least to do for each thread, or None if all have enough."""
        fit = [
            (worker.busy / worker.threads, address)
            for address, worker in self._workers.items()
            if worker.is_fit
        ]
        load, address = min(fit, default=(AHEAD, ""))
        return address if load < AHEAD else None

    def give(self, job: ClusterTask) -> None:
        """Give a job to the worker with the least to do. The first time it gets the work too."""
        address = self._free()
        assert address is not None
        worker = self._workers[address]
        data = b"" if worker.has_parcel else self._parcel.data
        worker.has_parcel = True
        worker.busy += 1
        task = pickle.dumps(job.task)
        self._submit(address, job, "play", self._run, self._parcel.digest, self._level, task, data)

    def _submit(self, address: str, job: ClusterTask | None, what: str, *arguments: Any) -> None:
        self._count += 1
        key = f"arena-{self._run}-{self._count}"
        with warnings.catch_warnings(action="ignore"):  # of a large work
            try:
                future = self._client.submit(
                    self._ask, what, *arguments, key=key, workers=[address], pure=False
                )
            except Exception as error:
                if self._client.status == "closed":  # since the last look
                    raise WorkerError(SCHEDULER_GONE) from error
                raise
        self._given[key] = _Given(job, address, future)
        ready = self._ready
        future.add_done_callback(lambda done: ready.put(done.key))

    def answers(self) -> Iterator[tuple[ClusterTask, Any]]:
        """Wait for something to happen, and yield the jobs that are done or whose worker died.

        Raises WorkerError if the scheduler is gone, or no worker can play.
        """
        with suppress(Empty):
            key = self._ready.get(timeout=max(0.0, self._looked + POOL_LOOK_SECONDS - now()))
            if key in self._given:
                yield from self._collect(self._given.pop(key))
        if now() >= self._looked + POOL_LOOK_SECONDS:
            yield from self._lost(self._look())
            self._warn()

    def _collect(self, given: _Given) -> Iterator[tuple[ClusterTask, Any]]:
        """Yield what a worker has answered."""
        self._heard = now()
        worker = self._workers.get(given.worker)
        if worker is not None and given.job is not None:
            worker.busy -= 1
        status = given.future.status
        if status == "finished":
            try:
                answer = given.future.result(timeout=MAX_LOST_SECONDS)
            except Exception as error:  # its worker died before it was fetched
                answer, status = describe(error), "lost"
        elif status == "error":
            status = self._failed(given)
        if given.job is None:
            if status == "finished":
                self._judge(given.worker, answer)
        elif status == "finished":
            yield from self._read(given.job, answer, worker)
        else:
            yield given.job, TaskFailed(f"its worker {given.worker} died")

    def _failed(self, given: _Given) -> str:
        """Count a task that Dask gave up. A worker that cannot do any does no more."""
        from distributed import KilledWorker

        error = given.future.exception()
        if not isinstance(error, KilledWorker):
            self._refuse(given.worker, f"fails: {describe(error or TimeoutError())}")
        elif given.job is not None:
            given.job.deaths += 1
        return "error"

    def _read(
        self, job: ClusterTask, answer: Any, worker: _ClusterWorker | None
    ) -> Iterator[tuple[ClusterTask, Any]]:
        try:
            kind, data, problem = decode(answer)
            result = decode(data) if data else None
        except (DecodeError, TypeError, ValueError) as error:
            kind, problem = DIED, f"its answer cannot be believed: {error}"
        if kind == UNKNOWN:
            if worker is not None:
                worker.has_parcel = False
            yield job, TaskFailed("its worker began again")
        elif kind == DIED:
            job.deaths += 1
            yield job, TaskFailed(problem)
        else:
            yield job, result

    def _judge(self, address: str, answer: Any) -> None:
        """Say whether a worker may play, by what it says that it has."""
        worker = self._workers.get(address)
        if worker is None:
            return
        if isinstance(answer, str):
            self._refuse(address, f"cannot run this arena: {answer}")
            return
        try:
            worker_facts = decode(answer)
            problem = difference(self._facts, worker_facts)
        except DecodeError as error:
            problem = f"gives an answer that cannot be believed: {error}"
        if problem:
            self._refuse(address, problem)
        else:
            worker.is_fit = True
            self._note(
                address, rounding(self._facts, worker_facts), "a network may move differently there"
            )
            self._note(
                address, other_programs(self._facts, worker_facts), "it may move differently there"
            )

    def _note(self, address: str, how: str, what: str) -> None:
        """Say once of each kind of machine that players may move differently there."""
        if how and how not in self._noted:
            self._noted.add(how)
            logger.warning("%s", escape.line(f"arena: worker {address} {how}: {what}"))

    def _refuse(self, address: str, problem: str) -> None:
        """Say why a worker gets nothing to do any more."""
        worker = self._workers.get(address)
        if worker is None or worker.is_fit is None:
            return
        worker.is_fit = None
        self._problem = f"for worker {address} {problem}"
        line = f"arena: worker {address} plays nothing: it {problem}"
        logger.warning("%s", escape.line(line))

    def _look(self) -> dict[str, int]:
        """Note which workers there are. Return those that are gone, with their threads."""
        self._looked = now()
        workers = self._threads()
        if workers is None:
            return {}
        lost = self._workers.keys() - workers.keys()
        gone = {address: self._workers.pop(address).threads for address in lost}
        for address, threads in workers.items():
            if address not in self._workers:
                self._workers[address] = _ClusterWorker(threads)
                self._submit(address, None, "tell", self._question)
        self._require_workers()
        return gone

    def _require_workers(self) -> None:
        """Raise WorkerError if there has been no worker for long that can play."""
        if any(worker.is_fit is not None for worker in self._workers.values()):
            self._last_known, self._is_waiting = now(), False
        elif now() > self._last_known + (
            MAX_UNFIT_SECONDS if self._workers else MAX_WORKERLESS_SECONDS
        ):
            why = f", {self._problem}" if self._workers else ""
            raise WorkerError(f"the cluster has no worker that can play{why}")
        elif not self._workers and not self._is_waiting:
            self._is_waiting = True
            logger.warning("arena: the cluster has no worker; waiting for one")

    def _threads(self) -> dict[str, int] | None:
        """Return the workers that run, with their threads, or None if the scheduler is silent."""
        if self._client.status == "running":
            with suppress(Exception):  # it has just died
                # Some versions tell of five workers unless they are asked for all.
                workers = self._client.scheduler_info(n_workers=-1)["workers"]
                return {
                    address: info["nthreads"]
                    for address, info in workers.items()
                    if self._runs(address, info.get("status"))
                }
        if self._client.status == "closed" or now() > self._last_known + MAX_LOST_SECONDS:
            raise WorkerError(SCHEDULER_GONE)
        return None

    def _runs(self, address: str, status: str | None) -> bool:
        """Return whether a worker does tasks. One that Dask pauses gets a while to go on."""
        if status != "paused":
            self._paused.pop(address, None)
            return status == "running"
        since = self._paused.setdefault(address, now())
        is_out = now() > since + MAX_PAUSED_SECONDS
        if is_out and address in self._workers:
            line = f"arena: Dask has paused worker {address}: its memory is full"
            logger.warning("%s; others do its tasks", escape.line(line))
        return not is_out

    def _lost(self, gone: dict[str, int]) -> Iterator[tuple[ClusterTask, Any]]:
        """Yield the jobs of workers that are gone. Those that a thread had begun may be why."""
        for key, given in list(self._given.items()):
            if given.worker in gone:
                del self._given[key]
                given.future.cancel()
                if given.job is not None:
                    given.job.deaths += gone[given.worker] > 0
                    gone[given.worker] -= 1
                    yield given.job, TaskFailed(f"its worker {given.worker} died")

    def _warn(self) -> None:
        """Log once what takes so long, if the work can say it."""
        if self._on_stall is None or now() < self._heard + MAX_CLUSTER_SILENCE:
            return
        for given in self._given.values():
            if given.job is not None and (line := self._on_stall(given.job.task)):
                logger.warning("arena: no answer for %g seconds: %s", MAX_CLUSTER_SILENCE, line)
        self._on_stall = None

    def leave(self) -> None:
        """Cancel what is out, and have the workers forget the run."""
        with suppress(Exception):  # what is left of a scheduler that has died
            self._client.cancel([given.future for given in self._given.values()], force=True)
            self._given.clear()
            modules = self._question["modules"] if self._is_joined else []
            for address, worker in self._workers.items():
                if worker.has_parcel:
                    self._submit(address, None, "forget", self._run, modules)
            end = now() + MAX_FORGETTING_SECONDS
            while self._given and (seconds_left := end - now()) > 0:
                self._given.pop(self._ready.get(timeout=seconds_left), None)


def _stub() -> Callable[..., Any]:
    """Return what Dask runs: it is pickled by value, so no scheduler needs arena.

    A worker without this arena returns why.
    """

    def arena_task(name: str, *arguments: Any) -> Any:
        from importlib import import_module

        try:
            function = getattr(import_module("arena.plugins.dask.worker"), name)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return function(*arguments)

    return arena_task
