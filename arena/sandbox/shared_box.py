"""Run a program together with players that are programs, each in its own box, until it ends.

The program starts the players itself, by commands that lead to their boxes.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, NamedTuple

from arena.clock import now
from arena.errors import ArenaError, VoidGame, Withdrawn
from arena.executors.endings import describe_ending
from arena.player import PlayerInfo
from arena.sandbox.bridges import Bridge, bridges
from arena.sandbox.choice import TIER_ORDER
from arena.sandbox.cores import all_cores
from arena.sandbox.fairness import MAX_WAIT_RATIO
from arena.sandbox.process import MAX_WRITTEN_BYTES, SCARCE
from arena.sandbox.referee_log import Overheard
from arena.sandbox.settings import DEFAULT_MEMORY, Isolation, PlayerLimits, Spec, environment
from arena.sandbox.tiers.box import Box, BoxLimits, Tier
from arena.sandbox.tiers.orders import program_files
from arena.sandbox.wire.conversations import are_logged

#: Bytes of the end of each of its outputs that are kept.
MAX_KEPT_BYTES = 1 << 16

#: Bytes that are read at a time; seconds after which to look whether it has ended.
_PIECE, _LOOK = 1 << 16, 0.1

#: The processes of a bridge at its near end, and at its far end besides the player.
NEAR_PROCESSES, FAR_PROCESSES = 3, 2

#: Seconds that a tier has to end all that runs in it.
_MAX_LEAVING_SECONDS = 1.0


class ProgramEnd(NamedTuple):
    """How a program ended, and the end of what it wrote."""

    #: ``ended with exit code 1``, ``killed by SIGKILL``, or ``not done within 120 s``; empty if it
    #: ended well.
    problem: str
    #: Its standard output, or the end of it.
    output: str
    #: The last line of its standard error that is not blank.
    complaint: str
    #: The ends of the error outputs of the players.
    complaints: tuple[str, ...] = ()
    #: Whether ``output`` may lack its beginning.
    is_cut: bool = False

    @property
    def answer(self) -> str:
        """The last line of its standard output that is not blank."""
        return _last_line(self.output)


class CannotRun(ArenaError):
    """The system does not start the program."""


def run_together(
    command: Callable[[Sequence[Sequence[str]]], Sequence[str]], players: Sequence[PlayerInfo]
) -> ProgramEnd:
    """Run a program with these players, each in its box, and end all that they leave behind.

    ``command`` returns the program's, from the commands by which it starts the players. The program
    gets the most memory of any player, the sum of their processes and of their time for a game, and
    what any of them may read. Raises CannotRun if it is not started, and Withdrawn for a player
    whose interpreter is missing.
    """
    limits = [Isolation.from_limits(dict(player.limits)).resolved() for player in players]
    seconds = sum(each.game_time for each in limits)
    tier = max((each.process_tier for each in limits), key=_strength)
    with ExitStack() as stack:
        try:
            built = stack.enter_context(bridges(len(players), are_noted=are_logged()))
            # The players first, so that their start takes none of the program's time for a move.
            bots = [
                _started(
                    stack,
                    each.process_tier,
                    bridge.far(player.command),
                    _box_of_player(player, each, bridge, seconds),
                    stdin=subprocess.PIPE,
                )
                for player, each, bridge in zip(players, limits, built, strict=True)
            ]
            spec = Spec("", tuple(command([bridge.near for bridge in built])))
            deadline = now() + seconds
            box = _box_of_program(spec, limits, built)
            process = _started(stack, tier, spec.argv, box, stdin=subprocess.DEVNULL)
            overheard = _overheard(stack, players, built[0].notes, process.pid)
        except OSError as error:
            problem = f"cannot be started: {error.strerror or error}"
            if error.errno in SCARCE:
                raise VoidGame(problem) from error
            raise CannotRun(problem) from error
        outputs, is_done = _listen(process, bots, overheard, deadline)
    code = process.returncode
    problem = describe_ending(code) if is_done and code else ""
    late = f"not done within {seconds:g} s, the --game-time of its players together"
    output, *errors = (each.decode("utf-8", errors="backslashreplace") for each in outputs)
    complaint, *complaints = (error.rstrip() for error in errors)
    return ProgramEnd(
        problem if is_done else late,
        output,
        _last_line(complaint),
        tuple(complaints),
        is_cut=len(outputs[0]) >= MAX_KEPT_BYTES,
    )


def _strength(tier: Tier) -> int:
    return TIER_ORDER.index(tier.name)


def _box_of_program(spec: Spec, limits: Sequence[PlayerLimits], built: Sequence[Bridge]) -> Box:
    """Return what a program may have that starts players under these limits."""
    return Box(
        limits=BoxLimits(
            memory=max(each.memory or DEFAULT_MEMORY for each in limits),
            processes=sum(each.processes + NEAR_PROCESSES for each in limits),
            cpu=_cpu(sum(each.game_time for each in limits)),
            output=MAX_WRITTEN_BYTES,
        ),
        readable=(
            *spec.readable,
            *(path for bridge in built for path in bridge.near_files),
            *(Path(file) for each in limits for file in each.readable),
        ),
        environment=environment(spec),
        is_python=False,
        is_guarded=True,
    )


def _box_of_player(player: PlayerInfo, limits: PlayerLimits, bridge: Bridge, seconds: float) -> Box:
    """Return what a player may have that is at the far end of a bridge."""
    return Box(
        limits=BoxLimits(
            memory=limits.memory or DEFAULT_MEMORY,
            processes=limits.processes + FAR_PROCESSES,
            cpu=_cpu(seconds),
            output=MAX_WRITTEN_BYTES,
        ),
        readable=(
            bridge.folder,
            *(Path(word) for word in player.command if os.path.isabs(word)),
            *_program_files(player),
            *map(Path, limits.readable),
        ),
        environment=environment(Spec(player.name, tuple(player.command))),
        is_python=False,
        is_guarded=True,
    )


def _cpu(seconds: float) -> int:
    return int(MAX_WAIT_RATIO * seconds) + 60


def _program_files(player: PlayerInfo) -> list[Path]:
    """Return the files that a player's program needs. Raises Withdrawn if one is missing."""
    try:
        return program_files(player.command[0])
    except OSError as error:
        raise Withdrawn(player.name, "crash", error.strerror or str(error)) from error


def _started(
    stack: ExitStack, tier: Tier, argv: Sequence[str], box: Box, *, stdin: int
) -> subprocess.Popen[bytes]:
    """Start a command within a tier, which ends with the stack."""
    with all_cores():
        process = subprocess.Popen(  # noqa: S603 (within a tier)
            tier.command(argv, box),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            close_fds=True,
            start_new_session=True,
            env=dict(box.environment),
        )
    stack.callback(_end, process, tier)
    return process


def _overheard(
    stack: ExitStack, players: Sequence[PlayerInfo], notes: Path | None, number: int
) -> Overheard | None:
    """Return what logs the notes until the stack ends. ``number`` tells games apart."""
    if notes is None:
        return None
    overheard = Overheard(notes, [f"{player.name} ({number})" for player in players])
    stack.callback(overheard.close)
    return overheard


def _listen(
    process: subprocess.Popen[bytes],
    bots: Sequence[subprocess.Popen[bytes]],
    overheard: Overheard | None,
    deadline: float,
) -> tuple[list[bytes], bool]:
    """Return the ends of both outputs once the process has ended, and whether it did in time.

    The ends of the players' error outputs follow. Log what is overheard.
    """
    pipes = {_number_of(process.stdout), _number_of(process.stderr)}
    outputs = {
        _number_of(pipe): b""
        for pipe in (process.stdout, process.stderr, *(bot.stderr for bot in bots))
    }
    with selectors.DefaultSelector() as waiting:
        for pipe in outputs:
            os.set_blocking(pipe, False)
            waiting.register(pipe, selectors.EVENT_READ)
        if overheard is not None:
            waiting.register(overheard.pipe, selectors.EVENT_READ, overheard.read)
        while waiting.get_map() and (remaining := deadline - now()) > 0:
            has_ended = process.poll() is not None  # asked first: it may still write before
            ready = []
            for key, _ in waiting.select(0 if has_ended else min(remaining, _LOOK)):
                if key.data is not None:
                    key.data()
                    continue
                pipe = key.fd
                ready.append(pipe)
                piece = os.read(pipe, _PIECE)
                outputs[pipe] = (outputs[pipe] + piece)[-MAX_KEPT_BYTES:]
                if not piece:
                    waiting.unregister(pipe)
            if has_ended and pipes.isdisjoint(ready):
                break
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, deadline - now()))
    return list(outputs.values()), process.returncode is not None


def _number_of(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    return pipe.fileno()


def _end(process: subprocess.Popen[bytes], tier: Tier) -> None:
    """End all that runs of it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)  # what stands above it ends all that left it, too
        with suppress(subprocess.TimeoutExpired):
            process.wait(_MAX_LEAVING_SECONDS)
    tier.end(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _last_line(output: str) -> str:
    """Return the last line that is not blank, or at least its end."""
    return output.strip().rpartition("\n")[2].strip()
