"""Measure a Dask cluster on this machine, and simulate where larger ones saturate."""

from __future__ import annotations

import heapq
import logging
import random
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple

import arena
from arena.executors.base import Executor, TaskList, Tasks, seconds_a_task, usable_cores
from arena.executors.processes import ProcessExecutor
from arena.fights.chunks import LAST_RATIO, MIN_LAST
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.fights.plain import PlainFights
from arena.fights.play import play_by
from arena.plugins.dask.cluster import LocalCluster
from arena.plugins.dask.executor import DaskExecutor
from arena.plugins.dask.pool import AHEAD
from benchmarks.table import Bar, Row, Sign, cost, skipped, speed
from benchmarks.timing import minima

SEED = 1
FIGHT = "tictactoe3 against monkey"
SPAN = "first task to last result"
SPEED = f"{FIGHT}, {SPAN}: speed of 2 Dask workers against 1"
OVERHEAD = f"{FIGHT}, {SPAN}: time of 2 Dask workers against 2 processes"
MACHINE = f"{FIGHT}, {SPAN}: speed of 2 processes against 1, which is what the machine allows"
GAIN = Bar(Sign.AT_LEAST, 1.8)
COST = Bar(Sign.AT_MOST, 1.1)

#: Pairs of about six seconds of work for one worker; and of a quick run.
PAIRS, FEW = 120_000, 500

#: Seconds in which the workers get ready for the next run, which nobody measures.
REST = 1.0

#: Tasks that do nothing, to learn what one costs.
TASKS, FEW_TASKS = 300, 20

#: The simulated clusters: numbers of workers, and games per second that each of them plays.
WORKERS = (10, 100, 1_000)
GAMES = 1_000


def rows(quick: bool) -> list[Row]:
    """Measure two workers against one and against processes; simulate more."""
    if find_spec("distributed") is None:
        why = "needs pip install 'proving-arena[dask]'"
        return [skipped(SPEED, why, GAIN), skipped(OVERHEAD, why, COST)]
    logging.getLogger("arena.plugins.dask").setLevel(logging.ERROR)  # of dashboards
    pairs, rounds, tasks = (FEW, 1, FEW_TASKS) if quick else (PAIRS, 4, TASKS)
    watch = Stopwatch()
    with _cluster(1) as one, _cluster(2) as two:
        executors = [Watched(own, watch) for own in (one, two, *map(ProcessExecutor, (1, 2)))]
        works = [partial(_fight, pairs, own) for own in executors]
        works.append(partial(_idle, tasks, executors[1]))
        alone, both, process, processes, idle = minima(works, rounds, watch.read)
    costs = Costs(idle / tasks, _write(FEW if quick else 5_000))
    if usable_cores() < 2:
        found = [skipped(SPEED, "there is only one core", GAIN)]
    else:
        found = [speed(SPEED, both, alone, GAIN), speed(MACHINE, processes, process)]
    found.append(cost(OVERHEAD, both, processes, COST))
    return found + list(_simulated(costs))


@dataclass
class Stopwatch:
    """A clock that goes while executors have tasks: from the first task to the last result."""

    seconds: float = 0.0

    def read(self) -> float:
        """Return the seconds of all runs so far."""
        return self.seconds


@dataclass
class Watched:
    """An executor whose runs a stopwatch measures."""

    executor: Executor
    watch: Stopwatch

    @property
    def seconds_a_task(self) -> float:
        """See Executor."""
        return seconds_a_task(self.executor)

    def run(self, work: Callable[[Any], Any], tasks: Tasks[Any]) -> Generator[Any, None, None]:
        """See Executor.run."""
        queue, last = _Queue(tasks), 0.0
        for done in self.executor.run(work, queue):
            last = perf_counter()
            yield done
        self.watch.seconds += last - queue.begun


class _Queue:
    """A queue that notes when its first task was taken."""

    def __init__(self, tasks: Tasks[Any]) -> None:
        self._tasks, self.begun = tasks, 0.0

    def next_task(self) -> Any:
        """See Tasks.next_task."""
        self.begun = self.begun or perf_counter()
        return self._tasks.next_task()


@contextmanager
def _cluster(workers: int) -> Iterator[Executor]:
    """Start a cluster of workers with a thread each, and return an executor that joins it."""
    with (
        closing(LocalCluster(workers)) as cluster,
        closing(DaskExecutor(workers, cluster.address)) as executor,
    ):
        yield executor


def _fight(pairs: int, executor: Executor) -> None:
    a, b = arena.get_player("tictactoe3"), arena.get_player("monkey")
    pairing = Pairing(arena.get_game("tictactoe"), a, b, pairs, SEED)
    play_by(PlainFights([CallsEngine(pairing)]), executor)
    sleep(REST)


def _idle(tasks: int, executor: Executor) -> None:
    """Give an executor tasks of no work."""
    list(executor.run(str, TaskList(range(tasks))))


def _write(pairs: int) -> float:
    """Return the seconds that a store takes for a game."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "games.db"
        play = partial(arena.fight, "tictactoe3", "monkey", pairs, seed=SEED, engine="calls")
        plain = partial(play, executor="serial")
        kept = partial(plain, store=store, again=True)
        unkept, written = minima([plain, kept], 2)
    return max(0.0, written - unkept) / (2 * pairs)


class Costs(NamedTuple):
    """Seconds of the scheduler and its client for a task, and of the store for a game."""

    task: float
    write: float


class Load(NamedTuple):
    """How busy workers were, of 1, and what else was busy: in units of the whole time."""

    workers: float
    tasks: float
    writes: float

    @property
    def limit(self) -> str:
        """The reason why workers were not busy."""
        if self.tasks + self.writes < 0.9:
            return "nothing" if self.workers > 0.9 else "the slowest task"
        return "tasks" if self.tasks > self.writes else "the store"


def simulate(workers: int, task: float, costs: Costs, seconds: float = 60.0) -> Load:
    """Simulate workers that play tasks of so many seconds for a while.

    One queue serves them all, as the executor does: it takes a result, writes its games, and hands
    out the next task, while the worker plays the one that it had beside. The last tasks are cut
    shorter. How long a task takes varies by a fifth.
    """
    rng = random.Random(workers)
    left = workers * seconds
    out = list[tuple[float, float, int]]()
    ends = [0.0] * workers
    clock, played, tasks, writes = 0.0, 0.0, 0.0, 0.0

    def give(worker: int) -> None:
        nonlocal left
        mean = min(task, max(MIN_LAST * task, LAST_RATIO * left / max(1, len(out))))
        left -= mean
        length = mean * max(0.1, rng.gauss(1.0, 0.2))
        ends[worker] = max(clock, ends[worker]) + length
        heapq.heappush(out, (ends[worker], length, worker))

    for worker in [*range(workers)] * AHEAD:
        give(worker)
    while out:
        end, done, worker = heapq.heappop(out)
        write = done * GAMES * costs.write
        clock = max(clock, end) + costs.task + write
        played, tasks, writes = played + done, tasks + costs.task, writes + write
        if left > 0:
            give(worker)
    return Load(played / workers / clock, tasks / clock, writes / clock)


def _simulated(costs: Costs) -> Iterator[Row]:
    measured = f"{1e3 * costs.task:.1f} ms a task, {1e6 * costs.write:.0f} us a game in a store"
    yield Row("costs for the simulation", measured)
    for workers in WORKERS:
        task = DaskExecutor(workers).seconds_a_task
        for name, own in (("", costs._replace(write=0.0)), (", with a store", costs)):
            load = simulate(workers, task, own)
            work = f"{workers} workers, {GAMES} games per second each, tasks of {task:g} s{name}"
            busy = f"workers {load.workers:.0%} busy, limited by {load.limit}"
            yield Row(f"simulated: {work}", busy)
