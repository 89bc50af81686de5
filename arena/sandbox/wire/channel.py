"""A conversation with a player's process: every wait has a deadline, every reply a cap.

The deadline of a question is absolute and no byte extends it. The player's other prints are its
log, of which the channel keeps the first and the last part.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from arena import escape
from arena.clock import now
from arena.errors import Forfeited, one_line, quoted
from arena.player.prints import MAX_MOVE_PRINTS, NO_PRINTS, PrintedPiece
from arena.records.thoughts import Thought
from arena.sandbox.wire.conversations import FROM_PLAYER, TO_PLAYER, are_logged, log_line
from arena.sandbox.wire.languages import Language

#: Bytes of a player's log that are kept: half from its start and half from its end.
MAX_LOG_BYTES = 1 << 16

#: Bytes that are enough for what is kept of a player's prints for one move.
MAX_PRINTS_BYTES = 4 * MAX_MOVE_PRINTS

#: Bytes that are read at a time.
_PIECE = 1 << 16

#: Pieces of a log that are read before the answer is looked at again.
_MAX_PIECES = 16


class Log:
    """The prints of a player: the beginning, the end, and how much was dropped between."""

    def __init__(self) -> None:
        self._head, self._tail, self.dropped = b"", b"", 0
        self._new, self._ends, self._last, self._is_cut = bytearray(), 0, b"\n", False
        self._before = NO_PRINTS

    def add(self, piece: bytes) -> None:
        """Keep what there is room for."""
        self._ends += piece.count(b"\n")
        self._last = piece[-1:]
        fitting = piece[: MAX_PRINTS_BYTES - len(self._new)]
        self._new += fitting
        self._is_cut = self._is_cut or len(fitting) < len(piece)
        room = MAX_LOG_BYTES // 2 - len(self._head)
        self._head += piece[:room]
        tail = self._tail + piece[max(room, 0) :]
        self.dropped += max(0, len(tail) - MAX_LOG_BYTES // 2)
        self._tail = tail[-(MAX_LOG_BYTES // 2) :]

    def take(self) -> PrintedPiece:
        """Return what was added since the last time."""
        if not self._new and self._before is NO_PRINTS:  # as after most moves
            return NO_PRINTS
        before, self._before = self._before, NO_PRINTS
        return before.plus(self._take_new())

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let :meth:`take` leave out what is added meanwhile."""
        before = self.take()
        try:
            yield
        finally:
            self.take()
            self._before = before

    def _take_new(self) -> PrintedPiece:
        if not self._new:
            return NO_PRINTS
        text = self._new.decode("utf-8", errors="backslashreplace")
        is_cut = self._is_cut or len(text) > MAX_MOVE_PRINTS
        prints = PrintedPiece(text[:MAX_MOVE_PRINTS], self._ends, self._last != b"\n", is_cut)
        self._new, self._ends, self._is_cut = bytearray(), 0, False
        return prints

    def __str__(self) -> str:
        gap = f"\n... {self.dropped} bytes ...\n".encode() * bool(self.dropped)
        text = (self._head + gap + self._tail).decode("utf-8", errors="backslashreplace")
        return escape.block(text)  # it is read in a terminal

    @property
    def last_line(self) -> str:
        """The last line that says something, for a message.

        Errors stand above or below the calls that led to them, which are indented. Node.js ends
        with its version.
        """
        lines = [line for line in str(self).splitlines() if line.strip()]
        unindented = [line for line in lines if not re.match(r"\s|[{}]|Node\.js v\d", line)]
        return one_line((unindented or lines)[-1]) if lines else ""


def _nothing() -> None:
    pass


class Channel:
    """The pipes to and from a player's process. The descriptors are closed with it."""

    def __init__(self, language: Language, to: int, answers: int, *logs: int) -> None:
        self._language = language
        self._to, self._answers, self._logs = to, answers, list(logs)
        self._unsent = bytearray()
        self._awaits_room = False
        self._sent = 0
        self._unread = bytearray()
        #: The events to wait for: its prints and answers, and room for a question that is long.
        self._poll = select.poll()
        for descriptor in (*logs, answers):
            self._poll.register(descriptor, select.POLLIN)
        #: Lets a player that is stopped go on: once it has its question, so that it wakes once.
        self.resume: Callable[[], object] = _nothing
        #: Whether the player has closed its output.
        self.is_at_end = False
        self.log = Log()
        for descriptor in (to, answers, *logs):
            os.set_blocking(descriptor, False)

    def tell(self, message: bytes) -> None:
        """Send a message, with the next question at the latest."""
        self._unsent += message

    def ask(self, message: bytes, deadline: Callable[[], float]) -> bytes:
        """Send a message and return the one that answers it.

        ``deadline`` tells until when to wait, on arena.clock.now, and is asked again when that time
        has come. Raises Forfeited: ``timeout``, ``crash`` if the process ends or closes its output,
        ``protocol`` for what came without being asked for, or without end.
        """
        self.require_silence()
        self._unsent += message
        return self.read(deadline)

    def require_silence(self) -> None:
        """Raise Forfeited ``protocol`` if something came without being asked for."""
        if ready := self._poll.poll(0):
            self._serve(ready)
        if self._unread:
            text = self._unread[:80].decode("utf-8", errors="backslashreplace")
            raise Forfeited("protocol", f"wrote {one_line(text)!r} without being asked")

    def read(self, deadline: Callable[[], float]) -> bytes:
        """Return the next message, once all is sent."""
        if self._unsent:
            self._send()
        self.resume()
        end = deadline()
        while True:
            if self._unread and (message := self._language.cut(self._unread)) is not None:
                return message
            if self.is_at_end:
                raise Forfeited(
                    "crash", "ended in mid-answer" if self._unread else "closed its output"
                )
            remaining = end - now()
            if remaining <= 0:
                later = deadline()
                if later <= end:
                    raise Forfeited("timeout", self._why_late())
                end = later
                continue
            self._serve(self._poll.poll(remaining * 1000))

    def _why_late(self) -> str:
        if self._unread:
            start = one_line(self._unread[:80].decode("utf-8", errors="backslashreplace"))
            return f"no end of the answer that begins {start!r}{self._language.unended}"
        return self._language.late

    def _serve(self, ready: list[tuple[int, int]]) -> None:
        """Read and write where there is something to read, or room."""
        for descriptor, _ in ready:
            if descriptor == self._answers:
                if not self._drain(descriptor, self._unread.extend, 1):
                    self.is_at_end = True
            elif descriptor == self._to:
                self._send()
            elif not self._drain(descriptor, self.log.add, _MAX_PIECES):
                self._poll.unregister(descriptor)
                self._logs.remove(descriptor)
                os.close(descriptor)

    def _send(self) -> None:
        """Write what there is room for, and have the rest waited for."""
        try:
            sent = os.write(self._to, self._unsent[:_PIECE])
            self._sent += sent
            del self._unsent[:sent]
        except BlockingIOError:
            pass
        except OSError:  # it reads no more; whether it has answered shows in its output
            self._unsent.clear()
        if bool(self._unsent) != self._awaits_room:
            self._awaits_room = not self._awaits_room
            if self._awaits_room:
                self._poll.register(self._to, select.POLLOUT)
            else:
                self._poll.unregister(self._to)

    def _drain(
        self, descriptor: int, keep: Callable[[bytes], object], pieces: int = _MAX_PIECES
    ) -> bool:
        """Read what waits, up to this many pieces. Return False at its end."""
        for _ in range(pieces):
            try:
                piece = os.read(descriptor, _PIECE)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not piece:
                return False
            keep(piece)
        return True

    def overhear(self, what: re.Pattern[str], seconds: float) -> list[re.Match[str]]:
        """Return the last of such parts of the log, once there are any, without an answer."""
        end = now() + seconds
        while (remaining := end - now()) > 0 and self._logs and not self.is_at_end:
            self._serve(self._poll.poll(remaining * 1000))
            if matches := list(what.finditer(str(self.log))):
                return matches
        return []

    @property
    def was_read(self) -> bool:
        """Whether the player has read anything at all, where the system tells, or else True."""
        if not sys.platform.startswith("linux"):
            return True
        import fcntl
        import termios

        waiting = fcntl.ioctl(self._to, termios.FIONREAD, bytes(4))
        return int.from_bytes(waiting, sys.byteorder) < self._sent

    def close(self) -> None:
        """Close the pipes, after a look at the log."""
        for log in self._logs:
            self._drain(log, self.log.add)
        for descriptor in (self._to, self._answers, *self._logs):
            with suppress(OSError):
                os.close(descriptor)
        self._logs = []


#: Lines that a program said last, which a message about it may have.
MAX_SAID_LINES = 3


class ChannelTalk:
    """A :class:`arena.player.clients.Talk` through a channel."""

    def __init__(self, channel: Channel, deadline: Callable[[], float], player: str = "") -> None:
        self._channel, self._deadline, self._player = channel, deadline, player
        self._is_logged = are_logged()
        self._last: deque[str] = deque(maxlen=MAX_SAID_LINES)
        self._thought: Thought | None = None

    def say(self, *lines: str) -> None:
        """Send lines with what is heard next."""
        for line in lines if self._is_logged else ():
            log_line(self._player, TO_PLAYER, line)
        self._channel.tell("".join(f"{line}\n" for line in lines).encode())

    def hear(self) -> str:
        """Return the next line. Bytes that are not UTF-8 become surrogates."""
        reply = self._channel.read(self._deadline).decode("utf-8", "surrogateescape")
        self._last.append(reply)
        if self._is_logged:
            log_line(self._player, FROM_PLAYER, reply)
        return reply

    def require_silence(self) -> None:
        """Raise Forfeited if there is something to hear that was not asked for."""
        self._channel.require_silence()

    def note(self, thought: Thought) -> None:
        """Take the thought when the move is there."""
        self._thought = thought

    def take(self) -> Thought | None:
        """Return what was noted since this was asked before."""
        thought, self._thought = self._thought, None
        return thought

    @property
    def last(self) -> str:
        """The lines that it said last, for a message. It is empty if it said nothing."""
        return ", ".join(quoted(line) for line in self._last)
