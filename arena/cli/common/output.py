"""Where a record goes: printed, or written to a file as a whole or not at all."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import Any

from arena.errors import ArenaError, PluginError, describe, is_stop
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import Report
from arena.records.base import Record


def add_output(parser: ArgumentParser) -> None:
    """``--format`` and ``--output``."""
    add_format(parser)
    parser.add_argument("--output", metavar="FILE", help="write to a file, whole or not at all")


def add_format(parser: ArgumentParser) -> None:
    """``--format``."""
    parser.add_argument(
        "--format",
        default="table",
        metavar="FORMAT",
        help="table, markdown, csv, json, or a plugin's (default: table)",
    )


class Output:
    """Presents records as the options say; made first, so that a bad option stops all work."""

    def __init__(self, arguments: Namespace, catalogue: Catalogue, to_file: bool = True) -> None:
        self._format: str = arguments.format
        report = catalogue.reports.get(arguments.format)
        if getattr(arguments, "verbose", False):  # a plugin may make the arguments itself
            report = getattr(report, "in_full", report)
        self._make: Report = report
        self._between = "\n" if arguments.format in ("json", "csv") else "\n\n"
        named = arguments.output if to_file else None
        self._path = None if named is None else real_path(named)
        if self._path is not None:
            check_target(self._path)
        #: What is presented of a record.
        self.present: Callable[[Any], Record] = lambda record: record

    def _report(self, record: Record) -> str:
        try:
            return str.__str__(self._make(self.present(record)))
        except ArenaError:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            message = f"format {self._format!r} failed: {describe(error)}"
            raise PluginError(message) from error

    def write(self, record: Record) -> None:
        """Present one record."""
        self.write_all([record])

    def write_all(self, records: Iterable[Record]) -> None:
        """Present records one after the other, printed as they come."""
        if self._path is not None:
            write_atomically(self._path, self._between.join(map(self._report, records)) + "\n")
            return
        for number, record in enumerate(records):
            separator = self._between[1:] if number else ""
            print(separator + self._report(record), flush=True)
