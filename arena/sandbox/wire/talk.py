"""Let a client talk with its program: lines there and back, as long as it is the program's turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from arena.errors import quoted
from arena.records.thoughts import Thought
from arena.sandbox.wire.channel import Channel

#: Lines that a program said last, which a message about it may have.
MAX_SAID_LINES = 3


class Lines:
    """A :class:`arena.player.clients.Talk` through a channel."""

    def __init__(self, channel: Channel, deadline: Callable[[], float]) -> None:
        self._channel, self._deadline = channel, deadline
        self._last: deque[str] = deque(maxlen=MAX_SAID_LINES)
        self._thought: Thought | None = None

    def say(self, *lines: str) -> None:
        """Send lines with what is heard next."""
        self._channel.tell("".join(f"{line}\n" for line in lines).encode())

    def hear(self) -> str:
        """Return the next line; bytes that are not UTF-8 become surrogates."""
        reply = self._channel.read(self._deadline).decode("utf-8", "surrogateescape")
        self._last.append(reply)
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
        """The lines that it said last, for a message; empty if it said nothing."""
        return ", ".join(quoted(line) for line in self._last)
