"""Records of logs travel between processes as what they say."""

from __future__ import annotations

import logging

import pytest

from arena.executors.logs import LogQueue, fields_of


@pytest.mark.parametrize(
    ("message", "arguments", "said"),
    [
        ("plain", (), "plain"),
        ("100 % plain", (), "100 % plain"),
        ("%s of %d", ("one", 2), "one of 2"),
        ("%(a)s", ({"a": 1},), "1"),
    ],
)
def test_a_record_says_elsewhere_what_it_says_here(
    message: str, arguments: tuple[object, ...], said: str
) -> None:
    record = logging.LogRecord("arena", logging.INFO, "file", 1, message, arguments, None)
    assert logging.makeLogRecord(fields_of(record)).getMessage() == said
    channel = LogQueue()
    channel.put_nowait(record)
    channel.put_nowait(None)
    result = channel.get()
    assert result is not None
    assert result.getMessage() == said
    assert channel.get() is None
    channel.close()
