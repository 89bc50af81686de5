"""One processor for a thread and the player that it waits for: only one of the two runs at a time.

A message to another processor takes several times as long. The thread stays where the system runs
it when its work begins, so several arenas on a machine keep out of each other's way as far as the
system can see to that, and may go anywhere again when the work ends. A system that cannot keep
threads to processors, such as macOS, keeps none.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from functools import cache

from arena.player import PlayerInfo

Cores = Set[int]

_TASKS = "/proc/self/task"


class _Binding(threading.local):
    """The processors of this thread before it was kept to one. It is empty while it is not."""

    home: Cores = frozenset()


_binding = _Binding()


def usable(thread: int = 0) -> Cores:
    """Return the processors that a thread may use, by default this one. The result is empty if
    nothing tells.
    """
    if not hasattr(os, "sched_getaffinity"):
        return frozenset()
    return os.sched_getaffinity(thread)


def bind(thread: int, cores: Cores) -> None:
    """Bind a thread to these processors. Nothing happens where it may not use them."""
    with suppress(OSError):
        os.sched_setaffinity(thread, cores)


@contextmanager
def shared_with(*players: PlayerInfo) -> Iterator[None]:
    """Keep this thread on one processor if one of these players can be on the same.

    Players that share this process may start threads: these go where this one may in the end.
    """
    if not any(player.remote is not None and player.remote.shares_core for player in players):
        yield
        return
    before, threads = usable(), _threads()
    cores = before
    try:
        with one_core():
            cores = usable()
            yield
    finally:
        for thread in _threads() - threads:
            with suppress(OSError):  # it has ended
                if usable(thread) == cores:
                    bind(thread, before)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread on the processor that it runs on, and with it whatever it starts."""
    before = usable()
    core = _running_on()() if len(before) > 1 else -1
    if core not in before:
        yield
        return
    try:
        bind(0, {core})
        _binding.home = before
        yield
    finally:
        _binding.home = frozenset()
        bind(0, before)


@contextmanager
def all_cores() -> Iterator[None]:
    """Let what this thread starts meanwhile use every processor that it may use itself."""
    home, cores = _binding.home, usable()
    if not home:
        yield
        return
    try:
        bind(0, home)
        yield
    finally:
        bind(0, cores)


def _threads() -> set[int]:
    try:
        return set(map(int, os.listdir(_TASKS)))
    except OSError:
        return set()


@cache
def _running_on() -> Callable[[], int]:
    """Return what tells the processor that a thread runs on, -1 where nothing does."""
    import ctypes

    try:
        current_core: Callable[[], int] = ctypes.CDLL(None).sched_getcpu
    except (OSError, TypeError, AttributeError):
        return lambda: -1
    return current_core
