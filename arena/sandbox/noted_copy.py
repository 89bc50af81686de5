"""Copy what one program says to another, and note each piece before it is passed on.

Run as a script, it copies standard input to standard output. Its arguments are the named pipe for
the notes and a mark of two characters, which tells the writers of that pipe apart. The system
writes a note as a whole, so the pipe has the order in which things were said. The script imports no
more than it needs: a player waits for its start.
"""

from __future__ import annotations

import os
import sys

#: Bytes of a piece. With its head it is short enough for every system to write it as a whole.
_PIECE = 500

#: Bytes of a mark, and of a head: a mark and the number of bytes that follow.
_MARK, _HEAD = 2, 5


class BrokenNotes(ValueError):
    """The pipe holds something other than a note."""


def command(notes: str, mark: str) -> tuple[str, ...]:
    """Return the command that copies and notes."""
    from arena.sandbox.executable import executable  # the script itself imports nothing of arena

    return executable(), "-I", "-S", __file__, notes, mark


def read_notes(text: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
    """Return the marks and pieces of all whole notes, and the rest. Raises BrokenNotes."""
    pieces = []
    while len(text) >= _HEAD:
        head = text[:_HEAD].decode("latin-1")
        if not (head.isascii() and head[_MARK:].isdigit()):
            raise BrokenNotes
        end = _HEAD + int(head[_MARK:])
        if len(text) < end:
            break
        pieces.append((head[:_MARK], text[_HEAD:end]))
        text = text[end:]
    return pieces, text


def copy(notes: str, mark: str) -> None:
    """Copy and note until the input ends. Raises BrokenPipeError once nothing reads the output."""
    noted = os.open(notes, os.O_WRONLY)
    while piece := os.read(0, _PIECE):
        os.write(noted, b"%s%03d%s" % (mark.encode(), len(piece), piece))
        while piece:
            piece = piece[os.write(1, piece) :]


if __name__ == "__main__":
    try:
        copy(*sys.argv[1:])
    except BrokenPipeError:
        sys.exit()
