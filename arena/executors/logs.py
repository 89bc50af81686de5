"""Forward log records of workers to the handlers of the process that started them.

Workers made by fork use multiprocessing-logging, which inherits a channel. Elsewhere the queue
handler of the standard library does the same with a channel that is handed over. Records pass as
data, for the process that reads them runs nothing that a player can have written. Without handlers
on the root logger there is nothing to forward, and nothing is set up.
"""

from __future__ import annotations

import logging
import logging.handlers
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from queue import Empty
from typing import Any

from arena.errors import WorkerError
from arena.executors.decoding import decode
from arena.executors.encoding import encode
from arena.executors.passable_classes import DecodeError

#: Seconds to wait for the last records of workers.
MAX_RECORDS_SECONDS = 1.0

#: How often the thread that waits for records is woken in that time.
ROUNDS = 20

#: A record below every handler's level.
UNHEARD = logging.makeLogRecord({"levelno": -1})

#: Characters of a text in a record that are kept, so that a record fits into a datagram.
_MAX_TEXT = 20_000

#: Bytes of the longest record that is read.
_MAX_RECORD_BYTES = 1 << 20


class LogQueue:
    """A queue of log records between processes: each is one datagram, whole or not there."""

    def __init__(self) -> None:
        self._near, self._far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)

    def put_nowait(self, record: logging.LogRecord | None) -> None:
        """Send a record. None ends a listener."""
        self._far.send(encode(None if record is None else fields_of(record)))

    def get(self, block: bool = True, timeout: float | None = None) -> logging.LogRecord | None:
        """Return the next record. Raises Empty if none comes in time. Garbage is left out."""
        while wait([self._near], timeout if block else 0):
            with suppress(DecodeError, TypeError, ValueError, AttributeError):
                fields = decode(self._near.recv(_MAX_RECORD_BYTES))
                return None if fields is None else logging.makeLogRecord(fields)
        raise Empty

    def qsize(self) -> int:
        """Return 0 if there is no record."""
        return len(wait([self._near], 0))

    def close(self) -> None:
        """Give both ends back."""
        self._near.close()
        self._far.close()

    def join_thread(self) -> None:
        """Do nothing: no thread sends."""


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the fields of a record as plain data, for ``logging.makeLogRecord`` elsewhere.

    The message has its arguments in it: as a text they would not fit it.
    """
    fields = {**vars(record), "msg": record.getMessage(), "args": None}
    return {key: _plain(value) for key, value in fields.items()}


def _plain(value: object) -> object:
    """Return the value if it can be sent, or else its text, cut to a length."""
    if value is None or type(value) in (bool, int, float):
        return value
    return str(value)[:_MAX_TEXT]


def hand_to(handlers: Sequence[logging.Handler], record: logging.LogRecord) -> None:
    """Hand a record to the handlers whose level it has."""
    for handler in handlers:
        if record.levelno >= handler.level:
            handler.handle(record)


class _Relay(logging.Handler):
    """Hands records to other handlers, which outlive it."""

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__()
        self.handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        hand_to(self.handlers, record)


#: The channel and the level with which a worker logs; None if it inherits them.
LogTarget = tuple[LogQueue, int] | None


@contextmanager
def forwarded(context: Any) -> Iterator[LogTarget]:
    """Send the log of workers started from the context to this process's root handlers."""
    handlers = list(logging.getLogger().handlers)
    if not handlers:
        yield None
    elif context.get_start_method() == "fork":
        with _forked(handlers):
            yield None
    else:
        with _queued(handlers) as target:
            yield target


@contextmanager
def _forked(handlers: list[logging.Handler]) -> Iterator[None]:
    from multiprocessing_logging import MultiProcessingHandler

    class Sender(MultiProcessingHandler):  # type: ignore[misc]  # the package has no types
        """A queue handler with a channel in place of its queue, which pickles."""

        @property
        def queue(self) -> LogQueue:
            return channel

        @queue.setter
        def queue(self, pickling: Any) -> None:
            pickling.close()

    channel = LogQueue()
    root = logging.getLogger()
    sender = _start(lambda: Sender("arena-log", sub_handler=_Relay(handlers)))
    root.handlers[:] = [sender]
    try:
        yield
    finally:
        root.handlers[:] = handlers
        _close(sender, channel)


def _close(sender: Any, channel: LogQueue) -> None:
    """Close a handler for forked workers, without the fifth of a second that it waits by itself.

    Its thread looks whether it is closed after every record, and otherwise five times a second.
    """
    closer = threading.Thread(target=sender.close, daemon=True)
    closer.start()
    for _ in range(ROUNDS):
        with suppress(OSError):  # the thread has closed the channel
            channel.put_nowait(UNHEARD)
        closer.join(MAX_RECORDS_SECONDS / ROUNDS)
        if not closer.is_alive():
            break


@contextmanager
def _queued(handlers: list[logging.Handler]) -> Iterator[LogTarget]:
    channel = LogQueue()
    listener: Any = logging.handlers.QueueListener(channel, _Relay(handlers))
    _start(listener.start)
    try:
        yield channel, logging.getLogger().level
    finally:
        listener.stop()
        channel.close()


def _start(start: Any) -> Any:
    """Start a thread. Raises WorkerError where the system gives no thread."""
    try:
        return start()
    except RuntimeError as error:
        raise WorkerError(f"cannot forward the log of workers: {error}") from error


def send_to(target: LogTarget) -> None:
    """Log to the target, in a worker."""
    if target is not None:
        channel, level = target
        root = logging.getLogger()
        root.handlers[:] = [logging.handlers.QueueHandler(channel)]
        root.setLevel(level)
