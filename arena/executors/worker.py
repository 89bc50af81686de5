"""Serve as a worker process: receive tasks and answer them in a data format."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from mmap import mmap
from multiprocessing.connection import Connection, wait
from typing import Any

from arena.errors import ArenaError, WorkerError
from arena.executors import logs, waiting
from arena.executors.encoding import encode
from arena.executors.endings import cut_off, disturbable
from arena.executors.pipes import send
from arena.games.contract import breach
from arena.player_file.code import hide_command_line


def serve(
    tasks: Connection,
    answers: Connection,
    work: Callable[[Any], Any],
    channel: logs.LogTarget,
    inherited: Sequence[Connection],
    memory: mmap | None = None,
) -> None:
    """Receive tasks, send a result for each, until there is None or the pipe ends.

    The ``memory`` is for what it waits for.
    """
    waiting.share(memory)
    for connection in inherited:  # else a sibling would keep this worker's pipes from ending
        connection.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena decides what an interrupt means
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    disturbable()
    with suppress(RuntimeError):  # if no thread can start, the pipe tells of the end
        threading.Thread(target=_die_with_parent, daemon=True).start()
    _keep_from_children(tasks, answers)
    with suppress(OSError):  # what a player prints must not end up in the arena's table
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    hide_command_line()
    logs.send_to(channel)
    pid = os.getpid()
    while True:
        try:
            number, task = tasks.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        answer = _answer(work, task)
        if os.getpid() != pid:  # a child of a player's has come back from its parent's game
            os._exit(0)
        with suppress(OSError):  # the reader is gone
            send(answers.fileno(), number, answer)


def _answer(work: Callable[[Any], Any], task: Any) -> bytes:
    try:
        return encode(work(task))
    except ArenaError as error:
        return encode(error)
    except MemoryError:
        return encode(WorkerError("the memory is used up"))
    except Exception as error:
        return encode(breach(error) or WorkerError(traceback.format_exc()))


def _keep_from_children(*pipes: Connection) -> None:
    """Keep processes that a player forks from reading tasks and writing answers."""
    if not hasattr(os, "register_at_fork"):
        return

    def close() -> None:
        with suppress(OSError):
            cut_off(pipe.fileno() for pipe in pipes)

    os.register_at_fork(after_in_child=close)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
