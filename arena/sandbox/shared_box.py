"""Run a program together with players that are programs: all in one box, until it ends.

The program starts the players itself, so the box keeps them from the machine, and not from each
other.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from arena.clock import now
from arena.errors import ArenaError, VoidGame, Withdrawn
from arena.executors.endings import describe_ending
from arena.player import PlayerInfo
from arena.sandbox.choice import TIER_ORDER
from arena.sandbox.cores import all_cores
from arena.sandbox.fairness import MAX_WAIT_RATIO
from arena.sandbox.process import MAX_WRITTEN_BYTES, SCARCE
from arena.sandbox.settings import DEFAULT_MEMORY, Isolation, PlayerLimits, Spec, environment
from arena.sandbox.tiers.box import Box, Limits, Tier
from arena.sandbox.tiers.orders import program_files

#: Bytes of the end of each of its outputs that are kept.
MAX_KEPT_BYTES = 1 << 16

#: Bytes that are read at a time; seconds after which to look whether it has ended.
_PIECE, _LOOK = 1 << 16, 0.1

#: Seconds in which a tier ends it all by itself.
_MAX_LEAVING_SECONDS = 1.0


class ProgramEnd(NamedTuple):
    """How a program ended, and the end of what it wrote."""

    #: ``ended with exit code 1``, ``killed by SIGKILL``, or ``not done within 120 s``; empty if it
    #: ended well.
    problem: str
    #: The last line of its standard output, and of its standard error, that is not blank.
    answer: str
    complaint: str


class CannotRun(ArenaError):
    """The system does not start the program."""


def run_together(argv: Sequence[str], players: Sequence[PlayerInfo]) -> ProgramEnd:
    """Run a program that starts these players, and end all that it leaves behind.

    It gets the limits of them all: the most memory of any, the sum of their processes and of their
    time for a game, and what any of them may read. Raises CannotRun if it is not started, and
    Withdrawn for a player whose interpreter is missing.
    """
    every = [Isolation.from_limits(dict(player.limits)).resolved() for player in players]
    tiers = [limits.process_tier for limits in every]
    tier = max(tiers, key=lambda tier: TIER_ORDER.index(tier.name))
    seconds = sum(limits.game_time for limits in every)
    spec = Spec("", tuple(argv))
    try:
        box = _box(spec, players, every, seconds)
        with all_cores():
            process = _start(tier, spec, box)
    except OSError as error:
        problem = f"cannot be started: {error.strerror or error}"
        if error.errno in SCARCE:
            raise VoidGame(problem) from error
        raise CannotRun(problem) from error
    try:
        outputs, is_done = _listen(process, now() + seconds)
    finally:
        _end(process, tier)
    code = process.returncode
    problem = describe_ending(code) if is_done and code else ""
    late = f"not done within {seconds:g} s, the --game-time of its players together"
    answer, complaint = map(_last_line, outputs)
    return ProgramEnd(problem if is_done else late, answer, complaint)


def _box(
    spec: Spec, players: Sequence[PlayerInfo], every: Sequence[PlayerLimits], seconds: float
) -> Box:
    """Return what a program may have with players under these limits."""
    return Box(
        limits=Limits(
            memory=max(limits.memory or DEFAULT_MEMORY for limits in every),
            processes=sum(limits.processes for limits in every),
            cpu=int(MAX_WAIT_RATIO * seconds) + 60,
            output=MAX_WRITTEN_BYTES,
        ),
        readable=(
            *spec.readable,
            *(Path(word) for player in players for word in player.command if os.path.isabs(word)),
            *(file for player in players for file in _program_files(player)),
            *(Path(file) for limits in every for file in limits.readable),
        ),
        environment=environment(spec),
        is_python=False,
        is_guarded=True,
    )


def _program_files(player: PlayerInfo) -> list[Path]:
    """Return the files that a player's program needs. Raises Withdrawn if one is missing."""
    try:
        return program_files(player.command[0])
    except OSError as error:
        raise Withdrawn(player.name, "crash", error.strerror or str(error)) from error


def _start(tier: Tier, spec: Spec, box: Box) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (within a tier)
        tier.command(spec.argv, box),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        close_fds=True,
        start_new_session=True,
        env=dict(box.environment),
    )


def _listen(process: subprocess.Popen[bytes], deadline: float) -> tuple[list[bytes], bool]:
    """Return the ends of both outputs once the process has ended, and whether it did in time."""
    pipes = [pipe.fileno() for pipe in (process.stdout, process.stderr) if pipe is not None]
    outputs = dict.fromkeys(pipes, b"")
    with selectors.DefaultSelector() as waiting:
        for pipe in pipes:
            os.set_blocking(pipe, False)
            waiting.register(pipe, selectors.EVENT_READ)
        while waiting.get_map() and (remaining := deadline - now()) > 0:
            has_ended = process.poll() is not None  # asked first: it may still write before
            ready = waiting.select(0 if has_ended else min(remaining, _LOOK))
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                outputs[key.fd] = (outputs[key.fd] + piece)[-MAX_KEPT_BYTES:]
                if not piece:
                    waiting.unregister(key.fd)
            if has_ended and not ready:
                break
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - now()))
    return list(outputs.values()), process.returncode is not None


def _end(process: subprocess.Popen[bytes], tier: Tier) -> None:
    """End all that runs of it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)  # what stands above it ends all that left it, too
        with suppress(subprocess.TimeoutExpired):
            process.wait(_MAX_LEAVING_SECONDS)
    tier.end(process)
    for pipe in (process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()


def _last_line(output: bytes) -> str:
    """Return the last line that is not blank, or at least its end."""
    return output.decode("utf-8", errors="backslashreplace").strip().rpartition("\n")[2].strip()
