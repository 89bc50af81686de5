"""The executors that come with arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ExecutorRegister

if TYPE_CHECKING:
    from arena.executors.later import LaterExecutor
    from arena.executors.processes import ProcessExecutor
    from arena.executors.serial import SerialExecutor
    from arena.executors.threads import ThreadExecutor


def processes(workers: int) -> ProcessExecutor:
    """Make worker processes. It imports multiprocessing when there is something to play."""
    from arena.executors.processes import ProcessExecutor

    return ProcessExecutor(workers)


def serial(workers: int) -> SerialExecutor:
    """Play in this process, where a debugger can stop."""
    from arena.executors.serial import SerialExecutor

    return SerialExecutor(workers)


def threads(workers: int) -> ThreadExecutor:
    """Play many games at once in this process, of players that arena mostly waits for."""
    from arena.executors.threads import ThreadExecutor

    return ThreadExecutor(workers)


def later(workers: int) -> LaterExecutor:
    """Keep the run in its store, for ``arena resume`` or for volunteers."""
    from arena.executors.later import LaterExecutor

    return LaterExecutor(workers)


@hookimpl
def arena_register_executors(register: ExecutorRegister) -> None:
    register("later", later)
    register("processes", processes)
    register("serial", serial)
    register("threads", threads)
