"""Let the threads of a process take turns: only one of them plays, while others wait for answers.

A thread gives its turn away where it waits for what runs elsewhere, and nowhere else. So players,
games and arena's own code need not know of threads: between two waits nothing else runs. The prints
of a player that is waited for are set aside.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from arena.errors import Abandoned
from arena.executors.endings import undisturbed
from arena.player.prints import replace_standing

T = TypeVar("T")


class Turns:
    """The turns of one run. The thread that makes them has the first one."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._is_over = False
        #: Who has the streams of the process while no game does.
        self._usual = replace_standing(None)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and play meanwhile. Raises Abandoned if all is over before that."""
        before, _thread.turns = _thread.turns, self
        try:
            with self._turn:
                self._go_on()
                yield
        finally:
            _thread.turns = before

    @contextmanager
    def yielded(self) -> Iterator[None]:
        """Give the turn away meanwhile. Raises Abandoned if all is over before or after that."""
        streams = replace_standing(self._usual)
        self._go_on()
        self._turn.release()
        try:
            yield
        finally:
            self._turn.acquire()
            self._go_on()  # in place of any other exception: that is not needed either
            replace_standing(streams)

    def wait(self, get: Callable[[], T]) -> T:
        """Return what the thread that made the turns waits for, while others play.

        What interrupts the wait ends all other threads where they wait next. No second signal comes
        between that and the return of the turn.
        """
        self._turn.release()
        try:
            return get()
        except BaseException:
            self.end()
            raise
        finally:
            with undisturbed():
                self._turn.acquire()
                replace_standing(self._usual)

    def _go_on(self) -> None:
        if self._is_over:
            raise Abandoned

    def end(self) -> None:
        """End every other thread where it waits."""
        self._is_over = True


class _Thread(threading.local):
    turns: Turns | None = None


_thread = _Thread()


@contextmanager
def elsewhere() -> Iterator[None]:
    """Let others play while this thread waits for what runs elsewhere.

    Raises Abandoned in a thread whose work is not needed any more. In a process that plays one game
    at a time nothing else happens.
    """
    if _thread.turns is None:
        yield
        return
    with _thread.turns.yielded():
        yield
