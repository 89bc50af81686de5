"""Let signals end the command, make them wait where they must, and name those that end others."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TypeVar

T = TypeVar("T")

#: Signals that end the command, and its message; the exit code is 128 plus the number.
ENDINGS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = "hung up"

#: The exit code of a program whose own child a signal killed, less the signal's number.
_KILLED = 128


@contextmanager
def undisturbed() -> Iterator[None]:
    """Make these signals wait until the block ends, where the system can.

    A process that is forked in the block has them wait until it calls :func:`disturbable`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # may raise for a signal from just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ended_undisturbed(context: AbstractContextManager[T]) -> Iterator[T]:
    """Enter a context. These signals may interrupt the block, but not the exit of the context."""
    if not hasattr(signal, "pthread_sigmask"):
        with context as value:
            yield value
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with ExitStack() as stack:  # exits run in reverse order
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        value = stack.enter_context(context)
        stack.callback(signal.pthread_sigmask, signal.SIG_BLOCK, ENDINGS)
        yield value


def disturbable() -> None:
    """Let these signals in, in a process that was forked while they had to wait."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)


def describe_ending(code: int) -> str:
    """Return how a process ended, by its exit code."""
    killed_by = signal_name(code)
    return f"killed by {killed_by}" if killed_by else f"ended with exit code {code}"


def signal_name(code: int | None) -> str:
    """Return the signal that killed a process, by its exit code. The result is empty if
    none did.
    """
    number = 0 if code is None else -code if code < 0 else code - _KILLED
    with suppress(ValueError):
        if number > 0:
            return signal.Signals(number).name
    return ""


def cut_off(descriptors: Iterable[int]) -> None:
    """Point descriptors of a forked process elsewhere. Their numbers stay taken."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor, inheritable=False)
    os.close(nothing)
