"""Executors of plugins that break the contract, and one that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import repeat
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import PluginError, UsageError
from arena.executors.base import (
    SECONDS_A_TASK,
    Executor,
    TaskFailed,
    TaskList,
    Tasks,
    seconds_a_task,
)
from arena.executors.serial import SerialExecutor
from arena.executors.supervision import make_executor
from arena.plugin.manager import load_catalogue
from arena.plugin.registry import ExecutorOffer
from tests.golden import Wording

Work = Callable[[Any], Any]
Run = Callable[[Work, Tasks[Any]], Any]


class Running:
    def __init__(self, run: Run) -> None:
        self.run = run


def pulled(tasks: Tasks[Any]) -> Iterator[Any]:
    """Take all tasks that there are at present."""
    return iter(tasks.next_task, None)


def honest(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    for task in pulled(tasks):
        yield task, work(task)


def lazy(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    list(pulled(tasks))
    yield from ()


def forgets_one(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    _, *others = pulled(tasks)
    for task in others:
        yield task, work(task)


def fails(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    first, *_ = pulled(tasks)
    yield first, work(first)
    raise ValueError("no\nway")


def twice(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    for task in pulled(tasks):
        yield task, work(task)
        yield task, work(task)


def last_for_all(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    """Give for each task the result of the last, as a lambda in a loop does."""
    taken = list(pulled(tasks))
    for task in taken:
        yield task, work(taken[-1])


def asks_for_ever(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    """Wait for more when there are none, as a service does."""
    while True:
        task = tasks.next_task()
        if task is not None:
            yield task, work(task)


def does_not_close(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
    try:
        yield from honest(work, tasks)
    finally:
        raise OSError("no way")


BROKEN: dict[str, Run] = {
    "none": lambda work, tasks: None,
    "number": lambda work, tasks: 7,
    "empty": lambda work, tasks: iter(()),
    "lazy": lazy,
    "forgets one": forgets_one,
    "raises at once": lambda work, tasks: 1 / 0,
    "raises later": fails,
    "garbage": lambda work, tasks: ((task, "garbage") for task in pulled(tasks)),
    "no pairs": lambda work, tasks: (7 for _ in pulled(tasks)),
    "foreign": lambda work, tasks: (((9, 9, 9), work(task)) for task in pulled(tasks)),
    "twice": twice,
    "last for all": last_for_all,
    "for ever": lambda work, tasks: repeat(next((t, work(t)) for t in pulled(tasks))),
    "asks for ever": asks_for_ever,
    "does not close": does_not_close,
}


def made(run: Run) -> Executor:
    return make_executor("mine", lambda workers: Running(run), 1)


@pytest.mark.parametrize("how", BROKEN)
def test_a_breach_is_one_line_that_names_the_executor(how: str, wording: Wording) -> None:
    with wording.raises(PluginError, match="'mine'") as error:
        list(made(BROKEN[how]).run(str, TaskList([1, 2])))
    assert error.value.exit_code == 4


def test_every_result_is_passed_on_once_before_the_breach(wording: Wording) -> None:
    results = iter(made(twice).run(str, TaskList([1, 2])))
    assert next(results) == (1, "1")
    with wording.raises(PluginError):
        next(results)


def test_one_that_keeps_the_contract_is_not_disturbed() -> None:
    assert list(made(honest).run(str, TaskList([1, 2, 1]))) == [(1, "1"), (2, "2"), (1, "1")]
    failed = TaskFailed("gone")
    given_up = made(lambda work, tasks: ((task, failed) for task in pulled(tasks)))
    assert list(given_up.run(str, TaskList([1]))) == [(1, failed)]


def test_a_task_that_comes_up_later_is_handed_out() -> None:
    remaining = [3]

    class Growing:
        def next_task(self) -> int | None:
            return remaining.pop() if remaining else None

    def asks_again(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        yield from honest(work, tasks)
        yield from honest(work, tasks)

    results = made(asks_again).run(str, Growing())
    assert next(results) == (3, "3")
    remaining.append(4)
    assert list(results) == [(4, "4")]


@pytest.mark.parametrize("how", ["honest", "does not close"])
def test_a_run_that_is_left_early_closes_the_executor(how: str, wording: Wording) -> None:
    ended: list[str] = []
    run: Run = BROKEN.get(how, honest)

    def watched(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        try:
            yield from run(work, tasks)
        finally:
            ended.append("ended")

    results = made(watched).run(str, TaskList([1, 2]))
    next(results)
    expected: AbstractContextManager[Any] = nullcontext()
    if how == "does not close":
        expected = wording.raises(PluginError)
    with expected, closing(results):
        pass
    assert ended == ["ended"]


def test_it_passes_on_what_the_work_says_about_a_silence() -> None:
    class Slow:
        def __call__(self, task: int) -> int:
            return task

        def on_stall(self, task: int) -> str:
            return f"still at {task}"

    messages: list[str] = []

    def asks(work: Any, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        for task in pulled(tasks):
            messages.append(work.on_stall(task))
            yield task, work(task)

    list(made(asks).run(Slow(), TaskList([5])))
    list(made(asks).run(str, TaskList([6])))
    assert messages == ["still at 5", ""]


def test_whether_rounds_are_by_machine_is_passed_on() -> None:
    class Rounds:
        rounds_by_machine = True

        def __call__(self, task: int) -> int:
            return task

    events: list[bool] = []

    def asks(work: Any, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        events.append(work.rounds_by_machine)
        yield from honest(work, tasks)

    list(made(asks).run(Rounds(), TaskList([5])))
    list(made(asks).run(str, TaskList([6])))
    assert events == [True, False]


def raises(error: BaseException) -> Run:
    def run(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        yield from ()
        raise error

    return run


def raises_early(error: BaseException) -> Run:
    def run(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
        raise error

    return run


@pytest.mark.parametrize("how", [raises, raises_early])
def test_what_arena_raises_is_not_a_breach(
    how: Callable[[BaseException], Run], wording: Wording
) -> None:
    error = UsageError("no such server")
    with pytest.raises(UsageError) as caught:
        list(made(how(error)).run(str, TaskList([1])))
    assert caught.value is error
    with wording.raises(PluginError, match="OSError"):
        list(made(how(OSError("no way"))).run(str, TaskList([1])))

    def make(workers: int) -> Executor:
        raise error

    with pytest.raises(UsageError) as caught:
        make_executor("mine", make, 1)
    assert caught.value is error


@pytest.mark.parametrize("workers", [1, 3])
def test_an_executor_may_ask_in_vain_a_hundred_times_for_each_worker(
    workers: int, wording: Wording
) -> None:
    def patient(times: int) -> Run:
        def run(work: Work, tasks: Tasks[Any]) -> Iterator[tuple[Any, Any]]:
            yield from honest(work, tasks)
            for _ in range(times - 1):  # the first time was after the last task
                assert tasks.next_task() is None

        return run

    def supervised(times: int) -> Executor:
        return make_executor("mine", lambda _: Running(patient(times)), workers)

    assert list(supervised(100 * workers).run(str, TaskList([1]))) == [(1, "1")]
    with wording.raises(PluginError):
        list(supervised(100 * workers + 1).run(str, TaskList([1])))


@pytest.mark.parametrize(
    "give",
    [
        lambda done: (True, done),
        lambda done: (1, TaskFailed(3)),  # type: ignore[arg-type]
        lambda done: [1, done],
        lambda done: (1, done, done),
    ],
)
def test_a_result_of_another_form_is_a_breach(give: Callable[[Any], Any], wording: Wording) -> None:
    def run(work: Work, tasks: Tasks[Any]) -> Iterator[Any]:
        [task] = pulled(tasks)
        yield give(work(task))

    with wording.raises(PluginError):
        list(made(run).run(str, TaskList([1])))


@pytest.mark.parametrize("make", [lambda workers: 1 / 0, lambda workers: None])
def test_one_that_cannot_be_made_is_refused(make: Any, wording: Wording) -> None:
    with wording.raises(PluginError, match="'mine'"):
        make_executor("mine", make, 1)


class Slow(Running):
    """An executor for which a task takes this many seconds to hand out."""

    def __init__(self, seconds: Any) -> None:
        super().__init__(honest)
        self.seconds_a_task = seconds


@pytest.mark.parametrize("seconds", [0, 0.0, -0.5, inf, nan, "soon", None])
def test_seconds_that_no_task_takes_are_a_breach(seconds: Any, wording: Wording) -> None:
    executor = make_executor("mine", lambda workers: Slow(seconds), 1)
    with wording.raises(PluginError, match="'mine'.*seconds_a_task"):
        seconds_a_task(executor)


@pytest.mark.parametrize("seconds", [5e-324, 0.25, 1, 1e300])
def test_more_than_no_seconds_are_passed_on(seconds: float) -> None:
    executor = make_executor("mine", lambda workers: Slow(seconds), 1)
    assert seconds_a_task(executor) == seconds
    assert seconds_a_task(made(honest)) == SECONDS_A_TASK


def test_arenas_own_are_not_supervised() -> None:
    assert type(make_executor("serial", SerialExecutor, 1)) is SerialExecutor


def fight(how: str, **options: Any) -> arena.records.FightResult:
    """Play a fight by an executor of a plugin."""
    catalogue = load_catalogue()
    made = ExecutorOffer(lambda workers: Running(BROKEN.get(how, honest)))
    catalogue.executors.add("mine", made, "test")
    return arena.fight(
        "triples", "heuristic", n=8, seed=1, executor="mine", catalogue=catalogue, **options
    )


@pytest.mark.parametrize(
    ("how", "engine"),
    [(how, "calls") for how in BROKEN]
    + [(how, "table") for how in ("twice", "for ever", "garbage", "none")],
)
def test_a_fight_counts_no_game_twice(how: str, engine: str, wording: Wording) -> None:
    with wording.raises(PluginError, match="'mine'"):
        fight(how, engine=engine)


@pytest.mark.slow
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_executor_leaves_a_store_that_another_completes(
    tmp_path: Path, how: str, wording: Wording
) -> None:
    """Keep each game once before the breach, so that the resumed run has the same bytes."""
    store = tmp_path / "S"
    with wording.raises(PluginError, match="'mine'"):
        fight(how, store=store)
    assert arena.verify(store).divergence is None
    resumed = arena.resume(store, executor="serial")
    assert resumed.as_json() == fight("honest").as_json()
    assert arena.verify(store).games == 16
