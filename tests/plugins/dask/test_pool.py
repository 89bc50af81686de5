"""Give tasks to workers and take them back: what needs no Dask, for a client stands in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.executors.base import TaskFailed
from arena.executors.encoding import encode
from arena.plugins.dask import pool as module
from arena.plugins.dask.facts import facts, question
from arena.plugins.dask.parcels import Parcel
from arena.plugins.dask.pool import ClusterTask, WorkerPool

PAUSED = {"nthreads": 2, "status": "paused"}
NOTHING = Parcel(b"parcel", "digest", (), (), ())


class Future:
    """A task of the stand-in, which is done when somebody says so."""

    def __init__(self, key: str) -> None:
        self.key, self.status = key, "pending"

    def add_done_callback(self, done: Callable[[Future], None]) -> None:
        if self.status == "finished":
            done(self)

    def finish(self, result: object) -> None:
        self.status, self._result = "finished", result

    def result(self, timeout: float) -> object:
        return self._result

    def cancel(self) -> None:
        self.status = "cancelled"


class Client:
    """Stands in for Dask's: workers that say that they are like this machine, and no answers."""

    status, local = "running", None

    def __init__(self, **threads: int) -> None:
        self.threads = threads
        self.paused: set[str] = set()
        self.played: list[tuple[str, Future]] = []

    @property
    def client(self) -> Client:
        return self

    def scheduler_info(self, n_workers: int = 5) -> Any:
        assert n_workers == -1, "else some versions tell of five workers"
        own = {name: {"nthreads": n, "status": "running"} for name, n in self.threads.items()}
        return {"workers": {**own, **dict.fromkeys(self.paused, PAUSED)}}

    def submit(self, _ask: object, what: str, *_: object, key: str, workers: Any, pure: Any) -> Any:
        future = Future(key)
        if what == "tell":
            future.finish(encode(facts(question(NOTHING, False))))
        else:
            self.played.append((workers[0], future))
        return future


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Callable[[Client], WorkerPool]:
    monkeypatch.setattr(module, "POOL_LOOK_SECONDS", 0.0)

    def made(client: Client) -> WorkerPool:
        pool: Any = WorkerPool(client, NOTHING, None)  # type: ignore[arg-type]
        for _ in client.threads:
            assert not list(pool.answers())
        return pool  # type: ignore[no-any-return]

    return made


@pytest.mark.slow
def test_every_thread_has_a_task_before_one_has_the_next(begin: Any) -> None:
    client = Client(a=1, b=3)
    pool = begin(client)
    assert pool.threads == 4
    for number in range(8):
        assert pool.has_room()
        pool.give(ClusterTask(number))
    assert not pool.has_room()
    given = [worker for worker, _ in client.played]
    assert sorted(given[:4]) == ["a", "b", "b", "b"]
    assert given.count("a") == 2


@pytest.mark.slow
def test_a_worker_that_dies_is_blamed_on_what_it_had_begun(begin: Any) -> None:
    client = Client(a=2, b=1)
    pool = begin(client)
    jobs = [ClusterTask(number) for number in range(6)]
    for job in jobs:
        pool.give(job)
    of_a = [job for job, (worker, _) in zip(jobs, client.played, strict=True) if worker == "a"]
    del client.threads["a"]
    lost = list(pool.answers())
    assert [job for job, _ in lost] == of_a
    assert all(isinstance(answer, TaskFailed) for _, answer in lost)
    assert [job.deaths for job in of_a] == [1, 1, 0, 0]
    assert pool.is_busy


def test_a_worker_that_stays_paused_is_named_and_loses_its_tasks(
    begin: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(a=2, b=1)
    pool = begin(client)
    for number in range(6):
        pool.give(ClusterTask(number))
    client.paused.add("a")
    assert list(pool.answers()) == []
    assert " worker a: " not in caplog.text
    monkeypatch.setattr(module, "MAX_PAUSED_SECONDS", -1.0)
    assert len(list(pool.answers())) == 4
    list(pool.answers())
    assert caplog.text.count(" worker a: ") == 1
    client.paused.clear()
    list(pool.answers())
    list(pool.answers())
    assert pool.threads == 3, "it goes on"
