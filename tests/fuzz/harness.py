"""How a case of the fuzzer runs, how it is judged, and how the seeds are dealt out."""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import NoReturn
from unittest import mock

import pytest

from arena.executors.base import usable_cores
from tests.conftest import Ran, Run

#: Seconds after which a command hangs, on a machine that has a core for it.
LIMIT = 15

#: The codes that a command may end with when nobody interrupts it.
CODES = range(5)

#: Runs a command with a text on standard input and judges it.
Try = Callable[..., Ran]

#: What a line on standard error begins with.
_SPEAKER = re.compile(r"arena: |arena [a-z]+: ")


class Hang(BaseException):
    """Raised in a command that takes too long; no ``except Exception`` catches it."""


#: How many of a hundred seeds the slow tests try; ARENA_FUZZ=100 tries all, in two hours.
SHARE = int(os.environ.get("ARENA_FUZZ", "2"))


def seeds(short: int, long: int) -> pytest.MarkDecorator:
    """Parametrize a test by ``seed``: the first few always, a share of the others when slow."""
    last = short + (long - short) * SHARE // 100
    slow = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(short, last)]
    return pytest.mark.parametrize("seed", [*range(short), *slow])


def chance(rng: Random, share: float) -> bool:
    """Return True with this probability."""
    return rng.random() < share


@contextmanager
def limited() -> Iterator[None]:
    """Raise Hang in the block if it takes longer than it may on a machine as busy as this one."""
    seconds = LIMIT * max(1, os.getloadavg()[0] / usable_cores())

    def ring(number: int, frame: FrameType | None) -> NoReturn:
        raise Hang(f"no end after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attempt(run: Run, *argv: str, stdin: str = "") -> Ran:
    """Run a command and judge it. The failure of a test shows how to run the command again."""
    again = f"cd {Path.cwd()} && arena {' '.join(map(quoted, argv))} <<< {quoted(stdin)}"
    with mock.patch("sys.stdin", io.StringIO(stdin)), limited():
        try:
            ran = run(*argv)
        except BaseException as error:
            error.add_note(again)
            raise
    assert problems(argv, ran) == [], f"{again}\ncode {ran.code}\n{ran.out!a}\n{ran.err!a}"
    return ran


def quoted(text: str) -> str:
    """Quote text for bash, as ASCII."""
    if text.isascii() and text.isprintable():
        return shlex.quote(text)
    plain = (chr(b) if chr(b).isalnum() and b < 128 else f"\\x{b:02x}" for b in _bytes(text))
    return f"$'{''.join(plain)}'"


def _bytes(text: str) -> bytes:
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # a character that no command line can have
        return text.encode(errors="surrogatepass")


def problems(argv: Sequence[str], ran: Ran) -> list[str]:
    """Return what a command did wrong, whatever it was asked for."""
    results = []
    if ran.code not in CODES:
        results.append(f"exit code {ran.code}")
    logs = "-v" in argv or "--verbose" in argv
    if "Traceback" in ran.out or ("Traceback" in ran.err and not logs):
        results.append("a traceback")
    out = "" if "fuzzed" in argv[-1:] and "--format" in argv else ran.out  # a plugin's own text
    if any(not (c.isprintable() or c in "\n\r") for c in out + ran.err.replace("\t", "")):
        results.append("a character that does not print")
    lines = [line for line in ran.err.splitlines() if line != "printed"]  # by a plugin
    if not (logs or argv[0] == "play"):  # which talks there where --format is given
        results += [
            f"not a line of arena's: {line!a}" for line in lines if not _SPEAKER.match(line)
        ]
    messages = [line for line in lines if not line.startswith("arena: warning: ")]
    if ran.code == 2 and (not messages or (len(messages) > 1 and not logs)):
        results.append("not one line about a mistake")
    if ran.code == 4 and not (messages or ran.out or argv[0] == "fuzzed"):  # by a plugin's command
        results.append("no word about a fault")
    return results
