"""The process executor: every task once, whatever happens to the workers."""

from __future__ import annotations

import errno
import logging
import multiprocessing
import multiprocessing.queues
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from arena.errors import PlayerFault, UnknownName, WorkerError
from arena.executors import processes, waiting
from arena.executors.base import MAX_TASK_ATTEMPTS, TaskFailed, TaskList, usable_cores
from arena.executors.endings import describe_ending
from arena.executors.isolated_process import map_isolated, run_isolated
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.executors.waiting import waiting_for
from tests.golden import Wording
from tests.processes import wait_until


def square(task: int) -> int:
    return task * task


def worker_id(task: int) -> int:
    time.sleep(0.01)
    return os.getpid()


def die_on_three(task: int) -> int:
    if task == 3:
        os._exit(7)
    return task


class DieOnce:
    """Kills its worker the first time each task is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, task: int) -> int:
        mark = self.folder / str(task)
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return task


def command_line(task: int) -> list[str]:
    return [*sys.argv, *sys.orig_argv]


def divide(task: int) -> float:
    return 1 / task


def log_and_print(task: int) -> int:
    print("a player's own print")
    logging.getLogger("a.player").warning("task %d", task)
    return task


START_METHODS = sorted(set(multiprocessing.get_all_start_methods()) & {"fork", "spawn"})


@pytest.mark.slow
@pytest.mark.parametrize("start_method", START_METHODS)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_done_once(start_method: str, workers: int) -> None:
    results = dict(ProcessExecutor(workers, start_method).run(square, TaskList(range(20))))
    assert results == {task: task * task for task in range(20)}


@pytest.mark.slow
@pytest.mark.parametrize("start_method", START_METHODS)
def test_a_worker_does_not_know_the_command(start_method: str) -> None:
    before = command_line(0)
    assert dict(ProcessExecutor(1, start_method).run(command_line, TaskList([0]))) == {
        0: ["arena", "arena"]
    }
    assert command_line(0) == before


def test_work_is_never_done_in_this_process() -> None:
    pids = dict(ProcessExecutor(2).run(worker_id, TaskList(range(10)))).values()
    assert os.getpid() not in pids
    assert len(set(pids)) == 2


def test_serial_work_is_done_here() -> None:
    assert dict(SerialExecutor().run(worker_id, TaskList([1]))) == {1: os.getpid()}


def test_no_task_no_worker() -> None:
    assert list(ProcessExecutor(2).run(square, TaskList([]))) == []


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_task_done_again(tmp_path: Path) -> None:
    results = dict(ProcessExecutor(2).run(DieOnce(tmp_path), TaskList(range(8))))
    assert results == {task: task for task in range(8)}


def die_by_signal(task: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_worker_says_which_signal_killed_it() -> None:
    results = dict(ProcessExecutor(1, attempts=1).run(die_by_signal, TaskList([0])))
    assert results == {0: TaskFailed("killed by SIGKILL", "SIGKILL")}


def test_a_task_that_kills_its_workers_is_given_up_and_the_rest_is_done() -> None:
    results = dict(ProcessExecutor(2).run(die_on_three, TaskList(range(6))))
    assert results.pop(3) == TaskFailed(describe_ending(7))
    assert results == {0: 0, 1: 1, 2: 2, 4: 4, 5: 5}
    assert MAX_TASK_ATTEMPTS == 3


def test_a_bug_in_the_work_is_raised_with_its_traceback() -> None:
    with pytest.raises(WorkerError, match="ZeroDivisionError"):
        list(ProcessExecutor(2).run(divide, TaskList([1, 0])))


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="descriptors are seen in /proc")
def test_a_failed_run_leaves_no_descriptor() -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(WorkerError) as caught:  # which knows the frames of the run
        list(ProcessExecutor(2).run(divide, TaskList([1, 0])))
    assert len(os.listdir("/proc/self/fd")) == before, caught


def test_closing_the_run_leaves_no_process() -> None:
    run = ProcessExecutor(2).run(time.sleep, TaskList([0.0, 60.0, 60.0, 60.0]))
    next(run)
    run.close()
    assert multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.parametrize("start_method", START_METHODS)
def test_log_records_reach_this_process_and_prints_do_not_reach_stdout(
    start_method: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    list(ProcessExecutor(2, start_method).run(log_and_print, TaskList(range(4))))
    assert sorted(record.getMessage() for record in caplog.records) == [
        f"task {task}" for task in range(4)
    ]
    assert root.handlers == before
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("a player's own print") == 4


def test_the_end_of_a_run_wakes_who_waits_for_log_records(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for_ever = multiprocessing.queues.Queue.get
    monkeypatch.setattr(multiprocessing.queues.Queue, "get", lambda self, **_: for_ever(self))
    caplog.set_level(logging.NOTSET)
    assert dict(ProcessExecutor(2, "fork").run(square, TaskList(range(4)))) == {
        0: 0,
        1: 1,
        2: 4,
        3: 9,
    }
    assert "arena-log" not in {thread.name for thread in threading.enumerate()}
    assert caplog.records == []


def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, time\n"
        "from arena.executors.base import TaskList\n"
        "from arena.executors.processes import ProcessExecutor\n"
        "def work(task):\n"
        "    os.write(2, b'%d\\n' % os.getpid())\n"  # in one piece: two workers write
        "    time.sleep(60)\n"
        "list(ProcessExecutor(2, 'fork').run(work, TaskList([1, 2])))\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)
    assert parent.stderr is not None
    workers = [int(parent.stderr.readline()) for _ in range(2)]
    parent.kill()
    parent.wait()
    parent.stderr.close()
    assert wait_until(lambda: not any(map(is_alive, workers)))


def fork_and_die(task: int) -> int:
    if task == 1:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        os._exit(1)
    return task


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs process descriptors")
def test_a_dead_worker_is_noticed_though_what_it_started_lives() -> None:
    start = time.monotonic()
    results = dict(ProcessExecutor(1, "fork").run(fork_and_die, TaskList([0, 1, 2])))
    assert results == {0: 0, 1: TaskFailed(describe_ending(1)), 2: 2}
    assert time.monotonic() - start < 20


def end_the_process() -> None:
    os._exit(5)


def refuse() -> None:
    raise UnknownName("player", "x", ["y"])


def test_what_is_run_apart_cannot_end_this_process(wording: Wording) -> None:
    assert run_isolated(partial(square, 3)) == 9
    assert run_isolated(os.getpid) != os.getpid()
    with wording.raises(PlayerFault):
        run_isolated(end_the_process)
    with wording.raises(UnknownName, match="'x'"):
        run_isolated(refuse)
    assert list(map_isolated(square, [1, 2, 3])) == [1, 4, 9]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_usable_cores_is_a_positive_number() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


def fork_and_come_back(task: int) -> int:
    os.fork()
    return os.getpid()


def test_a_forked_child_does_not_answer_for_the_worker() -> None:
    results = list(ProcessExecutor(1, "fork").run(fork_and_come_back, TaskList(range(5))))
    assert [task for task, _ in results] == list(range(5))
    assert len({worker for _, worker in results}) == 1


def test_a_worker_that_cannot_be_started_is_one_line(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    def refuse_fork() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(os, "fork", refuse_fork)
    with wording.raises(WorkerError):
        list(ProcessExecutor(2, "fork").run(square, TaskList([1])))


class Sleeps:
    """Takes a while, and knows what to say then."""

    def __call__(self, task: int) -> int:
        time.sleep(0.3)
        return task

    def on_stall(self, task: int) -> str:
        return f"task {task} is slow"


def test_silence_is_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    monkeypatch.setattr(processes, "MAX_SILENT_SECONDS", 0.05)
    assert dict(ProcessExecutor(1).run(Sleeps(), TaskList([1, 2]))) == {1: 1, 2: 2}
    [record] = caplog.records
    wording(record.getMessage(), " 0.05 ", "task 1")


class Waits(Sleeps):
    """Waits for something, and knows how to say so."""

    def __call__(self, task: int) -> int:
        with waiting_for("it waits for a move of an engine with a long name" + 50 * "e"):
            return super().__call__(task)

    def on_stall(self, task: int, waits_for: str = "") -> str:
        return f"task {task}: {waits_for}"


@pytest.mark.slow
def test_what_a_worker_waits_for_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(processes, "MAX_SILENT_SECONDS", 0.05)
    assert dict(ProcessExecutor(1, "fork").run(Waits(), TaskList([1]))) == {1: 1}
    [record] = caplog.records
    assert "task 1: it waits for a move of an engine with a long name" in record.getMessage()


def test_what_is_written_into_the_memory_of_a_worker_is_one_line() -> None:
    memory = waiting.make_memory()
    waiting.share(memory)
    try:
        for text, shown in (("a\nb", "a\\nb"), ("é" * 300, "é" * 127), ("", "")):
            with waiting_for(text):
                assert waiting.read(memory) == shown
        memory[0:4] = b"\x03\xff\xfe!"  # a player of the same process can write there
        assert waiting.read(memory) == "!"
    finally:
        waiting.share(None)
    with waiting_for("nobody reads it"):
        assert waiting.read(memory) == "!"


class Hangs(Sleeps):
    """Stops its process at task 0, and does the others, of which there is no end, at once."""

    def __call__(self, task: int) -> int:
        if task == 0:
            os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.02)
        return task


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="seen in /proc")
def test_a_worker_that_was_stopped_is_named_while_others_go_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    monkeypatch.setattr(processes, "MAX_SILENT_SECONDS", 0.2)
    answers = ProcessExecutor(2).run(Hangs(), TaskList(range(10_000)))
    for _ in answers:
        if caplog.records:
            break
    answers.close()
    [record] = caplog.records
    wording(record.getMessage(), " 0.2 ", "task 0")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_worker_is_hired_leaves_no_worker(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = multiprocessing.process.BaseProcess.start

    def start_and_signal(process: multiprocessing.process.BaseProcess) -> None:
        start(process)
        signal.raise_signal(number)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", start_and_signal)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as raised:  # which keeps the frames with the pipes
            list(ProcessExecutor(2).run(square, TaskList([1, 2, 3])))
    finally:
        signal.signal(number, before)
    assert multiprocessing.active_children() == []
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()
    del raised


def held_back(task: int) -> list[int]:
    return sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_signals_reach_a_worker_and_what_it_starts(method: str) -> None:
    assert list(ProcessExecutor(1, method).run(held_back, TaskList([1]))) == [(1, [])]
