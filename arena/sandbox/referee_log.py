"""Log the lines that a referee and its players say, from the notes of their bridges."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.sandbox.noted_copy import BrokenNotes, read_notes
from arena.sandbox.wire.conversations import FROM_PLAYER, TO_PLAYER, log_line

#: Bytes of a line that are kept until its end comes.
_MAX_LINE_BYTES = 1 << 16

#: Bytes that are read at a time: all that a pipe has.
_PIECE = 1 << 20


def mark(place: int, direction: str) -> str:
    """Return the mark of the notes of what goes in a direction between referee and a player."""
    return f"{place}{direction}"


class Overheard:
    """The conversations of a game. ``players`` is what the log calls the players, by place."""

    def __init__(self, notes: Path, players: Sequence[str]) -> None:
        # Also for writing: so the pipe does not end when those who write leave.
        self.pipe = os.open(notes, os.O_RDWR | os.O_NONBLOCK)
        self._lines = {
            mark(place, direction): _MessageLog(player, direction)
            for place, player in enumerate(players)
            for direction in (TO_PLAYER, FROM_PLAYER)
        }
        self._rest, self._is_broken = b"", False

    def read(self) -> None:
        """Log what the pipe has. What is no note ends the log of this game."""
        piece = os.read(self.pipe, _PIECE)
        if self._is_broken:
            return
        try:
            notes, self._rest = read_notes(self._rest + piece)
            for which, content in notes:
                self._lines[which].add(content)
        except (BrokenNotes, KeyError):
            self._is_broken = True
            log_line("referee", "?", "another program writes here, so nothing more is logged")

    def close(self) -> None:
        """Log the lines that have no end, and close the pipe."""
        os.close(self.pipe)
        for lines in self._lines.values():
            lines.end()


class _MessageLog:
    """The messages in one direction between the referee and a player."""

    def __init__(self, player: str, direction: str) -> None:
        self._player, self._direction, self._begun = player, direction, b""

    def add(self, piece: bytes) -> None:
        """Log the lines that end in what was said, and those that are too long."""
        *lines, self._begun = (self._begun + piece).split(b"\n")
        for line in lines:
            self._log(line)
        if len(self._begun) > _MAX_LINE_BYTES:
            self.end()

    def end(self) -> None:
        """Log a line that has no end."""
        if self._begun:
            self._log(self._begun)
        self._begun = b""

    def _log(self, line: bytes) -> None:
        text = line.decode("utf-8", "surrogateescape")
        log_line(self._player, self._direction, text.removesuffix("\r"))
