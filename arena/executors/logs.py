"""Log records of workers reach the handlers of the process that started them.

Workers made by fork use multiprocessing-logging, which inherits a queue. Elsewhere the queue
handler of the standard library does the same with a queue that is handed over. Without handlers on
the root logger there is nothing to forward, and nothing is set up.
"""

from __future__ import annotations

import logging
import logging.handlers
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

#: What a worker is given so that it can log: a queue and a level; None if it inherits all it needs.
Channel = tuple[Any, int] | None


#: Seconds to wait for the last records of workers.
PATIENCE = 1.0

#: How often the thread that waits for records is woken in that time.
ROUNDS = 20

#: A record below every handler's level.
NOBODYS = logging.makeLogRecord({"levelno": -1})


class _Relay(logging.Handler):
    """Hands records to other handlers, and outlives none of them."""

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__()
        self.handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        for handler in self.handlers:
            if record.levelno >= handler.level:
                handler.handle(record)


@contextmanager
def forwarded(context: Any) -> Iterator[Channel]:
    """While this lasts, workers started from the context log to this process's root handlers."""
    handlers = list(logging.getLogger().handlers)
    if not handlers:
        yield None
    elif context.get_start_method() == "fork":
        with _forked(handlers):
            yield None
    else:
        with _queued(handlers, context.Queue()) as channel:
            yield channel


@contextmanager
def _forked(handlers: list[logging.Handler]) -> Iterator[None]:
    from multiprocessing_logging import MultiProcessingHandler

    root = logging.getLogger()
    sender = MultiProcessingHandler("arena-log", sub_handler=_Relay(handlers))
    root.handlers[:] = [sender]
    try:
        yield
    finally:
        root.handlers[:] = handlers
        _close(sender)


def _close(sender: Any) -> None:
    """Close a handler for forked workers, without the fifth of a second that it waits by itself.

    Its thread looks whether it is closed after every record, and otherwise five times a second. The
    handler also waits for records that a killed worker announced and never sent: not for long here.
    """
    closer = threading.Thread(target=sender.close, daemon=True)
    closer.start()
    try:
        for _ in range(ROUNDS):
            with suppress(ValueError):  # the thread has closed the queue
                sender.queue.put(NOBODYS)
            closer.join(PATIENCE / ROUNDS)
            if not closer.is_alive():
                break
    finally:  # a worker that was killed while it wrote must not keep this process from ending
        sender.queue.cancel_join_thread()


@contextmanager
def _queued(handlers: list[logging.Handler], queue: Any) -> Iterator[Channel]:
    listener = logging.handlers.QueueListener(queue, _Relay(handlers))
    listener.start()
    try:
        yield queue, logging.getLogger().level
    finally:
        listener.stop()
        queue.cancel_join_thread()
        queue.close()


def send_to(channel: Channel) -> None:
    """In a worker: log to what it was given."""
    if channel is not None:
        queue, level = channel
        root = logging.getLogger()
        root.handlers[:] = [logging.handlers.QueueHandler(queue)]
        root.setLevel(level)
