"""Send answers through a pipe, in frames with the writer, the task, and the size."""

from __future__ import annotations

import os
import struct
from zlib import crc32

from arena.executors.passable_classes import DecodeError

#: Before each answer: a sign, the writer's process, the number of the task, the size and checksum.
_HEAD = struct.Struct("<8sQQQI")
_SIGN = b"\x00arena\x01\n"

#: No answer is longer; the tables of a pairing of the most nodes take a tenth of it.
MAX_ANSWER_BYTES = 1 << 31

#: Bytes to read at a time.
_PIECE = 1 << 20


def send(pipe: int, number: int, answer: bytes) -> None:
    """Write the answer to the task of that number. Raises OSError without a reader."""
    head = _HEAD.pack(_SIGN, os.getpid(), number, len(answer), crc32(answer))
    for piece in (head, answer):
        remaining = memoryview(piece)
        while remaining:
            remaining = remaining[os.write(pipe, remaining) :]


class ResultPipe:
    """A reader of one process's answers from a pipe that never waits and trusts nothing."""

    def __init__(self, pipe: int, process: int) -> None:
        os.set_blocking(pipe, False)
        self._pipe, self._process = pipe, process
        self._read = bytearray()

    def receive(self, number: int) -> bytes | None:
        """Return the answer to the task of that number, None if it is not complete yet.

        Raises EOFError if there will be none, and DecodeError if the bytes are anything else.
        """
        ended = self._fill()
        if len(self._read) >= _HEAD.size:
            sign, process, task, size, check = _HEAD.unpack_from(self._read)
            if sign != _SIGN or task != number or size > MAX_ANSWER_BYTES:
                raise DecodeError("it answers nothing that was asked")
            if process != self._process:
                raise DecodeError("it comes from another process")
            whole = _HEAD.size + size
            if len(self._read) >= whole:
                answer = bytes(memoryview(self._read)[_HEAD.size : whole])
                surplus = len(self._read) - whole
                self._read.clear()
                if surplus or crc32(answer) != check:
                    raise DecodeError("its bytes are not those that were sent")
                return answer
        elif not _HEAD.pack(_SIGN, 0, 0, 0, 0).startswith(self._read[: len(_SIGN)]):
            raise DecodeError("it answers nothing that was asked")
        if ended:
            raise EOFError
        return None

    def _fill(self) -> bool:
        """Read all available bytes, and return whether the pipe has ended."""
        try:
            while len(self._read) <= _HEAD.size + MAX_ANSWER_BYTES:
                piece = os.read(self._pipe, _PIECE)
                if not piece:
                    return True
                self._read += piece
        except BlockingIOError:
            pass
        except OSError:
            return True
        return False
