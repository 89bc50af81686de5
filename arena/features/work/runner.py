"""Let volunteers play the incomplete runs of a store, one after the other."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

from arena.clock import now
from arena.errors import ArenaError
from arena.features.contest.processes import Process
from arena.features.contest.setup import LAUNCHER
from arena.store.reading import find_run
from arena.store.sql import open_to_read

#: Seconds between two looks for a run that is not complete.
RUN_LOOK_SECONDS = 2.0

#: Seconds before a run that failed is played again: twice as many each time, up to the second.
MIN_RUN_PAUSE_SECONDS, MAX_RUN_PAUSE_SECONDS = 1.0, 60.0

#: A process that plays for as long has not failed at once.
MIN_PLAY_SECONDS = 5.0


def executor_of(socket: str, share: float) -> str:
    """Return the executor that hands parts out through a socket, as ``--executor`` names it."""
    return f"volunteers:{share!r}@{socket}"


class VolunteerRunner:
    """Plays what a store lacks, by machines that ask for parts through a socket.

    ``run`` must be called in the main thread: the process ends when the thread ends. ``tell`` hears
    what the owner should know.
    """

    def __init__(self, store: str, socket: str, share: float, tell: Callable[[str], None]) -> None:
        self._store, self._executor, self._tell = store, executor_of(socket, share), tell

    async def run(self) -> None:
        """Play until this is cancelled. The process that plays has ended then."""
        pause = MIN_RUN_PAUSE_SECONDS
        while True:
            number = await asyncio.to_thread(self._incomplete)
            if number is None:
                await asyncio.sleep(RUN_LOOK_SECONDS)
                continue
            began, is_over = now(), await self._play(number)
            if is_over or now() > began + MIN_PLAY_SECONDS:
                pause = MIN_RUN_PAUSE_SECONDS
            if is_over:
                self._tell(f"run {number} is complete")
                continue
            self._tell(f"run {number} goes on in {pause:g} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RUN_PAUSE_SECONDS)

    def _incomplete(self) -> int | None:
        """Return the last run that is not complete, or None if there is none, or no store."""
        try:
            run = find_run(open_to_read(self._store), None, unfinished=True)
        except ArenaError:
            return None
        return run.number if run.finished is None else None

    async def _play(self, number: int) -> bool:
        """Play a run until its process ends, which says why. Return whether it is complete."""
        words = ["resume", self._store, str(number), "--executor", self._executor]
        quiet = ["--format", "json", "--output", os.devnull]
        python = [sys.executable, "-m", "arena", *words, *quiet]
        start = [sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), "0"]
        process = await Process.start([*start, *python], is_heard=True)
        try:
            while not await process.wait(1):
                pass
        finally:
            await asyncio.shield(process.end())
        return process.code == 0
