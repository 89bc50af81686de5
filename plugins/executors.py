"""The executors that come with arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ExecutorRegister

if TYPE_CHECKING:
    from arena.executors.processes import ProcessExecutor


def processes(workers: int) -> ProcessExecutor:
    """Worker processes; multiprocessing is imported when there is something to play."""
    from arena.executors.processes import ProcessExecutor

    return ProcessExecutor(workers)


@hookimpl
def arena_register_executors(register: ExecutorRegister) -> None:
    from arena.executors.serial import SerialExecutor

    register("processes", processes)
    register("serial", SerialExecutor)
