"""Add the options of the log, which every command has, and set it up."""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress

from arena import escape
from arena.clock import moment
from arena.errors import UsageError, quoted
from arena.files import problem_of
from arena.urls import without_passwords

#: The mark of a record of the log that ``-vv`` shows and ``-v`` does not.
NO_FAULT = {"fault": ""}


#: The logger of what arena says to programs and what they answer.
PROTOCOL = "arena.protocol"

#: Most characters of the file of ``--log-protocol``.
MAX_PROTOCOL_CHARACTERS = 100_000_000


def add_logging(parser: ArgumentParser) -> None:
    """Add ``-v``, unless the command has one that does more, and ``--log-file``."""
    if parser.get_default("verbose") is None:
        parser.add_argument(
            "-v",
            "--verbose",
            action="count",
            default=0,
            help="show details where there are any, and each fault of a player's code once;"
            " -vv logs everything to standard error",
        )
    parser.add_argument("--log-file", metavar="FILE", help="append the log to a file")


def start_logging(arguments: Namespace) -> None:
    """Set up the log of ``-v`` and ``--log-file``. Raises UsageError if the file does not open."""
    root = logging.getLogger()
    handlers: list[logging.Handler] = []
    protocol = getattr(arguments, "log_protocol", None)
    if arguments.verbose:
        handlers.append(logging.StreamHandler())
        if arguments.verbose == 1:
            handlers[0].setFormatter(_Brief("%(message)s"))
            handlers[0].addFilter(_First())
    if arguments.log_file:
        handlers.append(_opened(arguments.log_file, _LogFile))
    if protocol:
        if not handlers and logging.lastResort is not None:
            handlers.append(logging.lastResort)  # which warnings would go to without a log
        for handler in handlers:
            handler.setLevel(max(handler.level, logging.INFO))
        handlers.append(_opened(protocol, _ProtocolFile))
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(_Full("%(asctime)s %(name)s %(levelname)s: %(message)s"))
        root.addHandler(handler)
    if handlers:
        root.setLevel(logging.DEBUG if protocol else logging.INFO)


def _opened(file: str, kind: type[_LogFile]) -> _LogFile:
    """Return what writes to a file. Raises UsageError if the file does not open."""
    try:
        return kind(file)
    except OSError as error:
        raise UsageError(f"log file {quoted(file)}: {error.strerror}") from error
    except ValueError as error:  # a null character, a surrogate
        raise UsageError(f"log file {quoted(file)}: is not the name of a file") from error


class _LogFile(logging.FileHandler):
    """Appends to a file until that fails, which it says once: the command goes on without it."""

    def __init__(self, file: str) -> None:
        super().__init__(file, encoding="utf-8")
        self._file, self._has_failed = file, False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        if not self._has_failed:
            super().emit(record)

    def close(self) -> None:
        """Close the file, also one that does not take its last lines."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the base class's name)
        """Say that the file takes no more."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        self._has_failed = True
        problem = f"log file {quoted(self._file)}: {problem_of(error)}; no more is logged"
        with suppress(OSError, ValueError):
            print(f"arena: {escape.line(problem)}", file=sys.stderr)


class _ProtocolFile(_LogFile):
    """Writes the conversations with programs, up to MAX_PROTOCOL_CHARACTERS."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        os.truncate(file, 0)  # it appends, for another command may have the same file
        self._room = MAX_PROTOCOL_CHARACTERS
        self.addFilter(logging.Filter(PROTOCOL))
        self.setFormatter(_Conversation("%(asctime)s %(message)s"))

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record. The last line says that there is no room for more."""
        line = super().format(record)
        self._room -= len(line) + 1
        if self._room >= 0:
            return line
        self.addFilter(lambda _: False)
        return "the log is full"


class _Conversation(logging.Formatter):
    """Escapes a line, which is a program's, and writes its time in UTC."""

    def formatTime(  # noqa: N802 (the base class's name)
        self, record: logging.LogRecord, datefmt: str | None = None
    ) -> str:
        """Return the time of a record."""
        return moment(record.created)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        return escape.line(super().format(record))


class _First(logging.Filter):
    """Lets the first record of each fault of a player's code pass, and what is not about faults.

    A record about a fault has it as ``fault``; an empty one, ``NO_FAULT``, is never the first.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen_faults = {""}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to show the record."""
        fault = getattr(record, "fault", None)
        if fault is None:
            return True
        is_new = fault not in self._seen_faults
        self._seen_faults.add(fault)
        return is_new


class _Full(logging.Formatter):
    """Escapes what is logged, which foreign text may be a part of."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as lines that print."""
        text = super().format(record)
        frames = getattr(record, "frames", "")
        if frames and not (record.exc_info or record.exc_text):
            text += f"\n{frames}"
        return escape.block(without_passwords(text))


class _Brief(logging.Formatter):
    """Shows a player's own frames of a traceback only."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as lines that print."""
        frames = getattr(record, "frames", "")
        if not frames:
            return escape.block(super().format(record))
        return escape.block(f"{record.getMessage()}\n{frames}")
