"""Executors of plugins that break the contract, and one that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any

import pytest

from arena import api
from arena.errors import PluginError
from arena.executors.base import Executor, TaskFailed
from arena.executors.serial import SerialExecutor
from arena.executors.supervised import make_executor
from arena.plugin.manager import load_catalogue

Run = Callable[[Callable[[Any], Any], Iterable[Any]], Any]


class Running:
    def __init__(self, run: Run) -> None:
        self.run = run


def honest(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    for task in tasks:
        yield task, work(task)


def lazy(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    list(tasks)
    yield from ()


def fails(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    yield from honest(work, list(tasks)[:1])
    raise ValueError("no\nway")


def twice(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    for task in tasks:
        yield task, work(task)
        yield task, work(task)


BROKEN: dict[str, Run] = {
    "none": lambda work, tasks: None,
    "number": lambda work, tasks: 7,
    "empty": lambda work, tasks: iter(()),
    "lazy": lazy,
    "raises at once": lambda work, tasks: 1 / 0,
    "raises later": fails,
    "garbage": lambda work, tasks: ((task, "garbage") for task in tasks),
    "no pairs": lambda work, tasks: (7 for _ in tasks),
    "foreign": lambda work, tasks: (((9, 9, 9), work(task)) for task in tasks),
    "twice": twice,
    "for ever": lambda work, tasks: repeat(next((t, work(t)) for t in tasks)),
}


def made(run: Run) -> Executor:
    return make_executor("mine", lambda workers: Running(run), 1)


@pytest.mark.parametrize("how", BROKEN)
def test_a_breach_is_one_line_that_names_the_executor(how: str) -> None:
    with pytest.raises(PluginError, match=r"^executor 'mine' broke its contract: [^\n]+$") as error:
        list(made(BROKEN[how]).run(str, [1, 2]))
    assert error.value.exit_code == 4


def test_every_result_is_passed_on_once_before_the_breach() -> None:
    results = iter(made(twice).run(str, [1, 2]))
    assert next(results) == (1, "1")
    with pytest.raises(PluginError, match="which it does not have to do"):
        next(results)


def test_one_that_keeps_the_contract_is_not_disturbed() -> None:
    assert list(made(honest).run(str, [1, 2, 1])) == [(1, "1"), (2, "2"), (1, "1")]
    failed = TaskFailed("gone")
    given_up = made(lambda work, tasks: ((task, failed) for task in tasks))
    assert list(given_up.run(str, [1])) == [(1, failed)]


def test_tasks_that_come_up_later_are_handed_out() -> None:
    left = [3]

    class Growing(Iterator[int]):
        def __next__(self) -> int:
            if left:
                return left.pop()
            raise StopIteration

    def asks_again(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        yield from honest(work, tasks)
        yield from honest(work, tasks)

    run = made(asks_again).run(str, Growing())
    assert next(run) == (3, "3")
    left.append(4)
    assert list(run) == [(4, "4")]


@pytest.mark.parametrize("make", [lambda workers: 1 / 0, lambda workers: None])
def test_one_that_cannot_be_made_is_refused(make: Any) -> None:
    with pytest.raises(PluginError, match="executor 'mine' broke its contract"):
        make_executor("mine", make, 1)


def test_arenas_own_are_not_supervised() -> None:
    assert type(make_executor("serial", SerialExecutor, 1)) is SerialExecutor


@pytest.mark.parametrize("how", ["twice", "for ever", "garbage", "none"])
@pytest.mark.parametrize("engine", ["calls", "table"])
def test_a_fight_counts_no_game_twice(how: str, engine: str) -> None:
    catalogue = load_catalogue()
    catalogue.executors.add("mine", lambda workers: Running(BROKEN[how]), "test")
    with pytest.raises(PluginError, match="broke its contract"):
        api.fight(
            "triples", "heuristic", n=8, seed=1, engine=engine, executor="mine", catalogue=catalogue
        )
