"""Let signals end the command, and make them wait where they must."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

T = TypeVar("T")

#: Signals that end the command, and its message; the exit code is 128 plus the number.
ENDINGS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = "hung up"


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
