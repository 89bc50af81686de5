"""Separate the messages between the arena and its shim: a length and a number before each.

A move is asked for with the position's text and answered with the move's, after the letter ``m``,
and with what the player drew for it, as JSON after a NUL. Everything else is JSON, which no ``m``
begins.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator

#: The bytes that follow it, and which question they ask or answer; 0 for none.
HEADER = struct.Struct("<II")

MOVE = b"m"

DRAWS = "\0"

_PIECE = 1 << 16


def frame(number: int, payload: bytes) -> bytes:
    """Return a message that belongs to the question of that number."""
    return HEADER.pack(len(payload), number) + payload


def read_frames(descriptor: int) -> Iterator[tuple[int, bytes]]:
    """Return the numbers and payloads that come, until the end."""
    unread, read = b"", os.read  # whatever a player does to the module
    while piece := read(descriptor, _PIECE):
        unread += piece
        while len(unread) >= HEADER.size:
            length, number = HEADER.unpack_from(unread)
            if len(unread) < (end := HEADER.size + length):
                break
            payload, unread = unread[HEADER.size : end], unread[end:]
            yield number, payload


def send(descriptor: int, message: bytes, *, write: Callable[[int, bytes], int] = os.write) -> None:
    """Write a message whole."""
    while message:
        message = message[write(descriptor, message) :]
