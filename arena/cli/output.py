"""Where a record goes: printed, or written to a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.errors import PluginError, UsageError, describe
from arena.plugin import Catalogue
from arena.registry import Report
from arena.results import Record


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
        self._make: Report = catalogue.reports.get(arguments.format)
        self._between = "\n" if arguments.format in ("json", "csv") else "\n\n"
        named = arguments.output if to_file else None
        self._path = None if named is None else real_path(named)
        if self._path is not None:
            check_target(self._path)

    def _report(self, record: Record) -> str:
        try:
            return str.__str__(self._make(record))
        except Exception as error:
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


def real_path(named: str) -> Path:
    """Where a file really is, so that a link stays one; a device or a pipe as it was named."""
    path = Path(named)
    special = path.exists() and not path.is_file() and not path.is_dir()
    return path if special else path.resolve()


def check_target(path: Path) -> None:
    """UsageError unless a file can be written there."""
    folder = path.parent
    if path.exists() and not path.is_file() and not path.is_dir():
        return
    if not folder.is_dir():
        raise UsageError(f"output folder {str(folder)!r} does not exist")
    if path.is_dir():
        raise UsageError(f"output {str(path)!r} is a folder")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"output folder {str(folder)!r} cannot be written to")


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by the text; whatever goes wrong, it has its old content or the new.

    A device or a pipe is written to instead.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode_of(path: Path) -> int:
    """The permissions that writing the file in place would leave it with."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
