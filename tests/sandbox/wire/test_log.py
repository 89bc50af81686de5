"""A log tells what a player printed for each move: its start, its lines, and whether it was cut."""

from __future__ import annotations

import pytest

from arena.player.prints import MAX_MOVE_PRINTS, NO_PRINTS, PrintedPiece
from arena.sandbox.wire.channel import MAX_LOG_BYTES, MAX_PRINTS_BYTES, Log


def log_of(*pieces: bytes) -> Log:
    log = Log()
    for piece in pieces:
        log.add(piece)
    return log


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([], NO_PRINTS),
        ([b"one\n"], PrintedPiece("one\n", 1, False, False)),
        ([b"one\ntw", b"o"], PrintedPiece("one\ntwo", 1, True, False)),
        ([b"\xff\n\n"], PrintedPiece("\\xff\n\n", 2, False, False)),
        ([b"x" * MAX_MOVE_PRINTS], PrintedPiece("x" * MAX_MOVE_PRINTS, 0, True, False)),
        ([b"x" * MAX_MOVE_PRINTS, b"y\n"], PrintedPiece("x" * MAX_MOVE_PRINTS, 1, False, True)),
        (
            [b"x" * MAX_PRINTS_BYTES, b"\n" * 5, b"z"],
            PrintedPiece("x" * MAX_MOVE_PRINTS, 5, True, True),
        ),
    ],
)
def test_a_log_tells_what_is_new(pieces: list[bytes], said: PrintedPiece) -> None:
    log = log_of(*pieces)
    assert log.take() == said
    assert log.take() == NO_PRINTS


def test_bytes_beyond_those_that_are_kept_for_a_move_cut_it() -> None:
    """All of these characters have four bytes, so that the text itself has a fitting length."""
    whole = "\U0001f600".encode() * MAX_MOVE_PRINTS
    assert len(whole) == MAX_PRINTS_BYTES
    assert not log_of(whole).take().is_cut
    assert log_of(whole, b"x").take().is_cut
    assert log_of(whole + b"x").take().is_cut
    log = log_of(whole, b"x", b"")
    assert log.take().is_cut
    log.add(b"short\n")
    assert log.take() == PrintedPiece("short\n", 1, False, False), "the next move is not cut"


def test_what_is_printed_aside_is_of_no_move() -> None:
    log = log_of(b"before\n")
    with log.aside():
        log.add(b"aside\n")
    log.add(b"after\n")
    assert log.take() == PrintedPiece("before\nafter\n", 2, False, False)
    assert "aside" in str(log)


def test_a_log_has_room_for_so_many_bytes() -> None:
    assert MAX_LOG_BYTES == 65536
    log = log_of(b"x" * MAX_LOG_BYTES)
    assert (log.dropped, str(log)) == (0, "x" * MAX_LOG_BYTES)
    log.add(b"y")
    assert log.dropped == 1
