"""Add the options of the log, which every command has, and set it up."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace

from arena import escape
from arena.errors import UsageError, quoted


def add_logging(parser: ArgumentParser) -> None:
    """``-v``, unless the command has one that does more, and ``--log-file``."""
    if parser.get_default("verbose") is None:
        parser.add_argument(
            "-v", "--verbose", action="store_true", help="show details, and log to standard error"
        )
    parser.add_argument("--log-file", metavar="FILE", help="append the log to a file")


def start_logging(arguments: Namespace) -> None:
    """Set up what ``-v`` and ``--log-file`` ask for; UsageError if the file cannot be opened."""
    root = logging.getLogger()
    handlers: list[logging.Handler] = []
    if arguments.verbose:
        handlers.append(logging.StreamHandler())
    if arguments.log_file:
        try:
            handlers.append(logging.FileHandler(arguments.log_file, encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"log file {quoted(arguments.log_file)}: {error.strerror}") from error
        except ValueError as error:  # a null character, a surrogate
            name = quoted(arguments.log_file)
            raise UsageError(f"log file {name}: is not the name of a file") from error
    for handler in handlers:
        handler.setFormatter(_Formatter("%(asctime)s %(name)s %(levelname)s: %(message)s"))
        root.addHandler(handler)
    if handlers:
        root.setLevel(logging.INFO)


class _Formatter(logging.Formatter):
    """Escapes what is logged, which foreign text may be a part of."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as lines that print."""
        return escape.block(super().format(record))
