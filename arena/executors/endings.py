"""How signals end the command, and where they have to wait."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

T = TypeVar("T")

#: The signals that end the command, and what it says then; its exit code is 128 and the number.
ENDINGS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    ENDINGS[signal.SIGHUP] = "hung up"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Have these signals wait until the block is over; where that cannot be had, go without.

    A process that is forked in the block has them wait until it calls :func:`disturbable`.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # may raise for a signal of just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ended_undisturbed(context: AbstractContextManager[T]) -> Iterator[T]:
    """Enter a context; these signals may disturb the block, but not how the context is left."""
    if not hasattr(signal, "pthread_sigmask"):
        with context as found:
            yield found
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with ExitStack() as stack:  # left in the reverse order
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        found = stack.enter_context(context)
        stack.callback(signal.pthread_sigmask, signal.SIG_BLOCK, ENDINGS)
        yield found


def disturbable() -> None:
    """Let these signals in, in a process that was forked while they had to wait."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
