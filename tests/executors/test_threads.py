"""The executor with threads: they take turns, and one that waits lets the others play."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import pytest

from arena.errors import Abandoned, PlayerFault, WorkerError
from arena.executors.base import TaskList
from arena.executors.threads import ThreadExecutor
from arena.executors.turns import elsewhere
from arena.player.prints import LocalPrintCapture
from tests.processes import wait_until


def square(task: int) -> int:
    return task * task


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_every_task_is_done_once(workers: int) -> None:
    results = dict(ThreadExecutor(workers).run(square, TaskList(range(20))))
    assert results == {task: task * task for task in range(20)}


def test_a_thread_that_waits_lets_the_others_play() -> None:
    arrived: list[int] = []
    all_there = threading.Event()

    def meet(task: int) -> bool:
        arrived.append(task)
        if len(arrived) == 8:
            all_there.set()
        with elsewhere():
            return all_there.wait(10)

    results = dict(ThreadExecutor(8).run(meet, TaskList(range(8))))
    assert all(results.values())


def test_no_two_threads_play_at_once() -> None:
    playing: list[int] = []

    def work(task: int) -> int:
        most = 0
        for _ in range(5):
            playing.append(task)
            time.sleep(0.001)  # not elsewhere: it keeps its turn
            most = max(most, len(playing))
            playing.remove(task)
            with elsewhere():
                time.sleep(0.001)
        return most

    assert set(dict(ThreadExecutor(8).run(work, TaskList(range(8)))).values()) == {1}


def test_there_are_no_more_threads_than_tasks_at_once() -> None:
    names: set[str] = set()

    def work(task: int) -> None:
        names.add(threading.current_thread().name)

    for _ in ThreadExecutor(100).run(work, TaskList(range(3))):
        pass
    assert len(names) <= 3


def test_prints_go_to_the_game_that_a_thread_plays() -> None:
    def work(task: int) -> str:
        caught = LocalPrintCapture()
        with caught as prints:
            print(f"{task} begins")
            with elsewhere():
                time.sleep(0.01)
            print(f"{task} ends", file=sys.stderr)
            return prints.waiting.text

    before = sys.stdout, sys.stderr
    results = dict(ThreadExecutor(5).run(work, TaskList(range(20))))
    assert results == {task: f"{task} begins\n{task} ends\n" for task in range(20)}
    assert (sys.stdout, sys.stderr) == before


def test_the_streams_are_those_of_the_process_while_all_wait(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def work(task: int) -> None:
        with LocalPrintCapture(), elsewhere():
            time.sleep(0.02)

    for _ in ThreadExecutor(4).run(work, TaskList(range(4))):
        print("done")
    assert capsys.readouterr().out == "done\n" * 4


def raising(error: BaseException) -> Callable[[int], int]:
    def work(task: int) -> int:
        if task == 3:
            raise error
        return task

    return work


def test_an_error_of_arena_ends_the_run() -> None:
    with pytest.raises(PlayerFault):
        list(ThreadExecutor(2).run(raising(PlayerFault("why")), TaskList(range(9))))


def test_any_other_error_is_a_bug_with_its_traceback() -> None:
    with pytest.raises(WorkerError, match="in work\n"):
        list(ThreadExecutor(2).run(raising(KeyError("why")), TaskList(range(9))))


def test_who_is_not_waited_for_ends_where_it_waits() -> None:
    ended: list[type[BaseException]] = []

    def work(task: int) -> None:
        if task == 0:
            return
        try:
            with LocalPrintCapture():
                while True:
                    with elsewhere():
                        time.sleep(0.01)
        except BaseException as error:
            ended.append(type(error))
            raise

    before = sys.stdout, threading.active_count()
    results = ThreadExecutor(4).run(work, TaskList(range(4)))
    next(results)
    results.close()
    assert wait_until(lambda: threading.active_count() <= before[1])
    assert set(ended) <= {Abandoned}
    assert sys.stdout is before[0]


def test_without_threads_nothing_is_given_away() -> None:
    with elsewhere():
        pass


def test_another_error_in_a_wait_does_not_keep_a_thread_alive() -> None:
    ended: list[type[BaseException]] = []
    is_over = threading.Event()

    def work(task: int) -> None:
        if task == 0:
            return
        try:
            with elsewhere():
                is_over.wait(10)
                raise TimeoutError
        except BaseException as error:
            ended.append(type(error))
            raise

    before = threading.active_count()
    results = ThreadExecutor(3).run(work, TaskList(range(3)))
    next(results)
    results.close()
    is_over.set()
    assert wait_until(lambda: threading.active_count() <= before)
    assert set(ended) <= {Abandoned}
