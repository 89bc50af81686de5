"""Signals at random moments to an arena, to all of its group, or to one of its workers."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.harness import LIMIT, chance

if TYPE_CHECKING:
    from tests.conftest import Ran
from tests.store.conftest import Folder, Process, Rows

#: What an arena ends with, if it does not end by itself before, and what it says last.
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}

SIGNALS = [*WORDS, signal.SIGKILL]

#: Seconds in which a forked arena comes to mind signals.
READY = 0.05


class Whole(NamedTuple):
    """A run that nobody disturbed."""

    ran: Ran
    rows: Rows
    seconds: float


def workers_of(pid: int) -> list[int]:
    """Return the children of a process, none if it has ended."""
    try:
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def disturb(rng: Random, process: Process, whole: Whole) -> Ran:
    """Send one signal at a random moment and wait; check how the arena ended."""
    time.sleep(READY + rng.random() * whole.seconds)
    number = rng.choice(SIGNALS)
    if chance(rng, 0.25) and (workers := workers_of(process.pid)):
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers), number)
        by_signal = None
    else:
        process.signal(number, group=chance(rng, 0.4))
        by_signal = -number if number == signal.SIGKILL else 128 + number
    begun = time.monotonic()
    ran = process.wait()
    assert time.monotonic() - begun < LIMIT * max(1, os.getloadavg()[0])
    assert ran.code in (whole.ran.code, by_signal), (number, ran)
    assert "Traceback" not in ran.out + ran.err, f"{number.name} {ran.err}"
    if ran.code in range(128, 256):
        assert ran.err.splitlines()[-1] == f"arena: {WORDS[signal.Signals(number)]}"
    return ran


def to_the_end(rng: Random, folder: Folder, argv: tuple[str, ...], whole: Whole) -> Ran:
    """Begin a stored run, disturb it and go on with it until it is done; return how it ended."""
    for _ in range(rng.choice([1, 2, 3])):
        start = folder.begin if chance(rng, 0.7) else folder.arena.start
        ran = disturb(rng, start(*argv, "-j", str(rng.randint(1, 3))), whole)
        folder.rows()
        if folder.has_run:
            argv = ("resume", "S")
        if ran.code == whole.ran.code:
            break
    return folder.arena(*argv)
