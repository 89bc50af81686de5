"""A channel knows what its peer has read, and waits for room only while it has something to say."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from arena.clock import now
from arena.sandbox.wire.channel import Channel
from arena.sandbox.wire.languages import LINES


class Ends(NamedTuple):
    channel: Channel
    #: The player's ends of the pipes.
    questions: int
    answers: int


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Make a channel whose peer is the test."""
    read_q, write_q = os.pipe()
    read_a, write_a = os.pipe()
    result = Ends(Channel(LINES, write_q, read_a), read_q, write_a)
    yield result
    result.channel.close()
    os.close(read_q)
    os.close(write_a)


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell what was read")
def test_a_peer_has_read_as_soon_as_it_took_a_byte(ends: Ends) -> None:
    assert not ends.channel.was_read
    os.write(ends.answers, b"answer\n")
    ends.channel.tell(b"question\n")
    assert ends.channel.read(lambda: now() + 5) == b"answer"
    assert not ends.channel.was_read
    os.read(ends.questions, 1)
    assert ends.channel.was_read


def test_a_channel_waits_for_room_until_all_is_sent(ends: Ends) -> None:
    long = b"x" * 300_000
    ends.channel.tell(long)
    os.write(ends.answers, b"answer\n")
    assert ends.channel.read(lambda: now() + 5) == b"answer"
    heard = b""
    while len(heard) < len(long):
        heard += os.read(ends.questions, 1 << 16)
        ends.channel.require_silence()  # which sends what there is room for
    assert heard == long
    assert ends.channel._poll.poll(0) == [], "else it would never rest"
