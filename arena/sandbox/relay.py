"""Pass on what a program says to players in their boxes, and what they answer.

A bridge (:mod:`arena.sandbox.bridges`) ends in arena's process: each start of a player has two
lines, one to the player and one from it. Arena reads each line by line for the log of
conversations, and passes its bytes on as they come.
"""

from __future__ import annotations

import logging
import os
import selectors
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.sandbox.bridges import STARTS, Bridge
from arena.sandbox.wire.channel import conversations, log_line

#: Bytes that are read at a time. So many may wait for a reader before no more are read.
_PIECE = 1 << 16


@contextmanager
def relaying(
    built: Sequence[Bridge], names: Sequence[str], selector: selectors.BaseSelector
) -> Iterator[None]:
    """Pass on what goes over these bridges, whenever the caller calls what the selector has.

    The data of each of its keys is a function without arguments. ``names`` are those of the players
    in the log.
    """
    players = [
        _Player(bridge.folder, name, selector) for bridge, name in zip(built, names, strict=True)
    ]
    try:
        yield
    finally:
        for player in players:
            player.close()


class _Player:
    """The lines of all starts of a player, which take turns."""

    def __init__(self, folder: Path, name: str, selector: selectors.BaseSelector) -> None:
        self._starts = [
            _Start(folder, number, name, selector, self._renew) for number in range(STARTS)
        ]

    def _renew(self, number: int) -> None:
        """Open the lines again that ended some starts ago.

        Not those of this start: who reads to their end must find nobody who may yet write.
        """
        start = self._starts[(number + STARTS // 2) % STARTS]
        if start.is_over:
            start.begin()

    def close(self) -> None:
        """End all lines."""
        for start in self._starts:
            start.close()


class _Start:
    """The two lines of one start of a player. ``then`` is told when both have ended."""

    def __init__(
        self,
        folder: Path,
        number: int,
        name: str,
        selector: selectors.BaseSelector,
        then: Callable[[int], None],
    ) -> None:
        self._number, self._then = number, then

        def line(source: str, target: str, direction: str) -> _Line:
            pipes = folder / f"{source}{number}", folder / f"{target}{number}"
            return _Line(*pipes, selector, _logging(name, direction), self._ended)

        self._to, self._from = line("in", "to", "<"), line("from", "out", ">")
        self._to.greeted, self._from.greeted = self._from.meet, self._to.meet
        self.begin()

    @property
    def is_over(self) -> bool:
        """Whether the player has ended and nobody says anything more to it."""
        return self._from.is_over and self._to.is_over

    def begin(self) -> None:
        """Open both lines."""
        self._to.open()
        self._from.open()

    def _ended(self) -> None:
        if self._from.is_over:
            self._to.discard()  # who has ended reads no more
        if self.is_over:
            self._then(self._number)

    def close(self) -> None:
        """End both lines."""
        self._to.close()
        self._from.close()


class _Line:
    """One direction: from a pipe to another. ``then`` is called when it has ended.

    Each end greets with one byte when it has opened both its pipes. What is written to a pipe that
    nobody reads yet is lost when its last writer leaves, so the target stays open until then.
    """

    def __init__(
        self,
        source: Path,
        target: Path,
        selector: selectors.BaseSelector,
        log: Callable[[bytes], None],
        then: Callable[[], None],
    ) -> None:
        self._source, self._target, self._selector = source, target, selector
        self._log, self._then = log, then
        #: Called with the greeting of who writes to the source.
        self.greeted: Callable[[], None] = _nothing
        self._in = self._out = -1
        self._waiting = b""
        #: Whether who writes to the source has greeted, and whether who reads the target has.
        self._is_greeted = self._is_met = False

    @property
    def is_over(self) -> bool:
        """Whether it has no more to read, and has passed on all that it read."""
        return self._in < 0 and self._out < 0

    def open(self) -> None:
        """Open both pipes: none needs the other end, which comes when it likes."""
        self._in = os.open(self._source, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        self._out = os.open(self._target, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        self._waiting, self._is_greeted, self._is_met = b"", False, False
        self._selector.register(self._in, selectors.EVENT_READ, self._read)

    def meet(self) -> None:
        """Note that who reads the target is there."""
        self._is_met = True
        if self._in < 0:
            self._end()

    def discard(self) -> None:
        """Pass on nothing any more, and read what still comes."""
        if self._out < 0:
            return
        if self._waiting:
            self._selector.unregister(self._out)
            self._selector.register(self._in, selectors.EVENT_READ, self._read)
        os.close(self._out)
        self._out, self._waiting = -1, b""

    def close(self) -> None:
        """Close both pipes."""
        for pipe in (self._in, self._out):
            if pipe >= 0:
                with suppress(KeyError):
                    self._selector.unregister(pipe)
                os.close(pipe)
        self._in = self._out = -1

    def _read(self) -> None:
        try:
            piece = os.read(self._in, _PIECE)
        except BlockingIOError:
            return
        if not piece:
            self._log(b"")
            self._selector.unregister(self._in)
            os.close(self._in)
            self._in = -1
            if self._is_met or self._out < 0:
                self._end()
            return
        if not self._is_greeted:
            self._is_greeted, piece = True, piece[1:]
            self.greeted()
        self._pass_on(piece)

    def _pass_on(self, piece: bytes) -> None:
        self._log(piece)
        if self._out < 0:
            return
        self._waiting = piece
        self._write()
        if self._waiting:  # the reader is slow: nothing more is read until it has this
            self._selector.unregister(self._in)
            self._selector.register(self._out, selectors.EVENT_WRITE, self._write_rest)

    def _write(self) -> None:
        with suppress(BlockingIOError):
            self._waiting = self._waiting[os.write(self._out, self._waiting) :]

    def _write_rest(self) -> None:
        self._write()
        if not self._waiting:
            self._selector.unregister(self._out)
            self._selector.register(self._in, selectors.EVENT_READ, self._read)

    def _end(self) -> None:
        self.close()
        self._then()


def _nothing() -> None:
    """Do nothing."""


def _logging(name: str, direction: str) -> Callable[[bytes], None]:
    """Return what logs the lines of a direction, if there is a log. At an end it gets no bytes."""
    if not conversations.isEnabledFor(logging.DEBUG):
        return lambda _: None
    rest = b""

    def log(piece: bytes) -> None:
        nonlocal rest
        *lines, rest = (rest + piece).split(b"\n")
        if rest and (not piece or len(rest) > _PIECE):
            lines, rest = [*lines, rest], b""
        for line in lines:
            log_line(name, direction, line.decode("utf-8", "surrogateescape").rstrip("\r"))

    return log
