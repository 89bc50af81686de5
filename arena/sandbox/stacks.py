"""Ask a Python player that is late where it is: its interpreter prints the stack."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path

from arena.clock import now
from arena.errors import one_line
from arena.sandbox.family import awaits, handles, send
from arena.sandbox.wire.channel import Channel

#: Seconds for which a late player may wait for a processor to say where it is, and seconds that it
#: may take then. Its interpreter says it, unless the player keeps it from that.
MAX_WAIT_SECONDS, MAX_SAYING_SECONDS = 1.0, 0.02

#: The interpreter's words, down to arena's own frames, and each frame in them.
_FIRST = "Stack (most recent call first):\n"
_STACK = re.compile(
    re.escape(_FIRST) + r'((?:  File .*\n)*?)  (?:\.\.\.|.*/arena/sandbox/\w+\.py")'
)
_FRAME = re.compile(r'^  File "(.*)", line (\d+) in ', re.MULTILINE)


def innermost(tracebacks: Sequence[re.Match[str]], readable: Sequence[Path]) -> tuple[str, str]:
    """Return the innermost line of these files, such as ``stuck at bot.py:3``, and the frames.

    The last stack that has a line counts. Both are empty without one.
    """
    player_files = [str(file) for file in readable]
    for stack in reversed(tracebacks):
        frames = _FRAME.findall(stack[1])
        for file, line in [*(frame for frame in frames if frame[0] in player_files), *frames[:1]]:
            return one_line(f"stuck at {os.path.basename(file)}:{line}"), _FIRST + stack[1].rstrip()
    return "", ""


def stacks(player: int, channel: Channel) -> list[re.Match[str]]:
    """Return the stacks in the log once the player was asked for its own.

    It does not wait for a player that cannot answer: one that is stopped, blocks the signal, or
    does something else about it.
    """
    if not hasattr(signal, "SIGUSR1"):
        return []
    if handles(player, signal.SIGUSR1):
        send(player, signal.SIGUSR1)
        end = now() + MAX_WAIT_SECONDS
        is_coming = True
        while is_coming and now() < end:
            is_coming = awaits(player, signal.SIGUSR1) and handles(player, signal.SIGUSR1)
            if tracebacks := channel.overhear(_STACK, MAX_SAYING_SECONDS):
                return tracebacks
    return []
