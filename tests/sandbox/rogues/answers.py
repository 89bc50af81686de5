"""Rogues: players that behave, but on their second move do as their names say.

A rogue that returns ``LEGAL`` makes the first legal move after its mischief.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

Player = Callable[[Any, Any], Any]
LEGAL = object()


def rogue(misbehave: Callable[[Any], Any]) -> Player:
    def choose(position: Any, rng: Any) -> Any:
        legal = position.legal_moves()
        if len(legal) != 7:
            return legal[0]
        answer = misbehave(position)
        return legal[0] if answer is LEGAL else answer

    return choose


# What it answers.


class Lookalike:
    """Says that it is an int."""

    __class__ = int  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        os._exit(3)


class Evil(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(0)

    def __index__(self) -> int:
        os._exit(3)

    def __str__(self) -> str:
        os._exit(3)


class Index:
    """As an integer of numpy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class HangingIndex:
    def __index__(self) -> int:
        while True:
            pass


class RaisingIndex:
    def __index__(self) -> int:
        raise SystemExit(0)


async def _coroutine() -> int:
    return 1


def _generator() -> Iterator[int]:
    yield 1


none = rogue(lambda position: None)
too_great = rogue(lambda position: 99)
negative = rogue(lambda position: -1)
taken = rogue(lambda position: 0)
text = rogue(lambda position: "3")
a_float = rogue(lambda position: 3.0)
nan = rogue(lambda position: float("nan"))
a_bool = rogue(lambda position: True)
numpy_like = rogue(lambda position: Index(position.legal_moves()[0]))
subclass = rogue(lambda position: Evil(99))
lookalike = rogue(lambda position: Lookalike())
index_hangs = rogue(lambda position: HangingIndex())
index_exits = rogue(lambda position: RaisingIndex())
huge_int = rogue(lambda position: 1 << 100_000_000)
huge_list = rogue(lambda position: [0] * 5_000_000)
coroutine = rogue(lambda position: _coroutine())
generator = rogue(lambda position: _generator())


@rogue
def mutates(position: Any) -> Any:
    """Has the board of its own process say that the square is free."""
    for thing in (position, type(position), position.game):
        for name in ("legal_moves", "play", "outcome"):
            try:
                object.__setattr__(thing, name, lambda *_: (0,))
            except (AttributeError, TypeError):
                with contextlib.suppress(AttributeError, TypeError):
                    setattr(thing, name, lambda *_: (0,))
    return 0


# What it raises.


class Worst(BaseException):
    pass


class Unprintable(Exception):
    def __str__(self) -> str:
        raise Worst

    __repr__ = __str__


class HangingMessage(Exception):
    def __str__(self) -> str:
        while True:
            pass


def fail_with(error: BaseException) -> NoReturn:
    raise error


raises = rogue(lambda position: fail_with(ValueError("so\nit is")))
exits = rogue(lambda position: sys.exit("bye"))
interrupts = rogue(lambda position: fail_with(KeyboardInterrupt()))
base = rogue(lambda position: fail_with(Worst("x")))
generator_exit = rogue(lambda position: fail_with(GeneratorExit()))
surrogates = rogue(lambda position: fail_with(ValueError("\ud800\udfff\x00")))
unprintable = rogue(lambda position: fail_with(Unprintable()))
message_hangs = rogue(lambda position: fail_with(HangingMessage()))
message_is_long = rogue(lambda position: fail_with(ValueError("\x1b[2J" + "x" * 10_000_000)))
name_is_long = rogue(lambda position: fail_with(type("E" * 70_000, (Exception,), {})("x")))


@rogue
def recursion(position: Any) -> Any:
    def down(n: int) -> int:
        return down(n + 1) + 1

    return down(0)


# How it does not answer.


def forever() -> NoReturn:
    while True:
        pass


@rogue
def blocks_signals(position: Any) -> Any:
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    for number in range(1, 65):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    forever()


@rogue
def handles_signals(position: Any) -> Any:
    for number in {*range(1, 32)} - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, lambda *_: None)
    forever()


@rogue
def excepts(position: Any) -> Any:
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(60)


hangs = rogue(lambda position: forever())
hangs_in_c = rogue(lambda position: re.match(r"(a+)+$", "a" * 60 + "b"))
sleeps = rogue(lambda position: time.sleep(60))
exits_0 = rogue(lambda position: os._exit(0))
exits_1 = rogue(lambda position: os._exit(1))
kills_itself = rogue(lambda position: os.kill(os.getpid(), signal.SIGKILL))
segfaults = rogue(lambda position: ctypes.string_at(0))
aborts = rogue(lambda position: os.abort())
closes_all = rogue(lambda position: os.closerange(0, 4096))


@rogue
def stops(position: Any) -> Any:
    os.kill(os.getpid(), signal.SIGSTOP)
    return LEGAL


def slow(position: Any, rng: Any) -> Any:
    """Within the limit of a move, and not within that of a game."""
    time.sleep(0.1)
    return position.legal_moves()[0]


@rogue
def many_threads(position: Any) -> Any:
    """Has its own threads keep it from the processor, as if the machine were busy."""

    def burn() -> None:
        while True:
            hashlib.pbkdf2_hmac("sha256", b"x", b"y", 1_000_000_000)

    threading.stack_size(1 << 16)
    for _ in range(30):
        threading.Thread(target=burn, daemon=True).start()
    burn()


class SlowStart:
    """Uses up all of its time before it is asked for a move."""

    def start(self, game: Any, side: Any, rng: Any) -> None:
        time.sleep(60)

    def choose(self, position: Any) -> Any:
        return position.legal_moves()[0]

    def observe(self, move: Any) -> None:
        pass

    def finish(self, outcome: Any) -> None:
        pass


class SlowObserver(SlowStart):
    """Thinks on the opponent's time, and beyond."""

    def start(self, game: Any, side: Any, rng: Any) -> None:
        pass

    def observe(self, move: Any) -> None:
        time.sleep(60)
