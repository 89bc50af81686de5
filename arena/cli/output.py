"""Present a record: print it, or write it to a file as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from arena.errors import ArenaError, PluginError, UsageError, describe, is_stop, quoted
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import ReportText
from arena.records.base import Record
from arena.reports.screen import PIPE, Screen

if TYPE_CHECKING:
    from arena.cli.last import RememberedResult

#: The formats of files by their endings, where an ending is not the name of its format.
_ENDINGS = {"md": "markdown", "xml": "junit"}

#: When a table has colours.
COLOURS = ("auto", "always", "never")

#: Endings that say nothing of a format.
_PLAIN = ("", "txt")


def add_output(parser: ArgumentParser, usual: str = "table") -> None:
    """Add ``--format`` and ``--output``. ``usual`` is the format if neither says another."""
    add_format(parser, f"{usual}, or what the ending of --output says")
    parser.add_argument("--output", metavar="FILE", help="write to FILE (atomically)")
    parser.set_defaults(usual_format=usual)


def add_one_of(parser: ArgumentParser, kind: str) -> None:
    """Add a name, of which a command shows all instead of a list, and the options of output."""
    text = "show all that is known of this one"
    parser.add_argument(kind, nargs="?", metavar=kind.upper(), help=text)
    add_output(parser)


def add_format(parser: ArgumentParser, usual: str = "table") -> None:
    """Add ``--format`` and ``--color``."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"table, markdown, csv, json, html, svg, or a plugin's (default: {usual})",
    )
    parser.add_argument(
        "--color",
        metavar="WHEN",
        choices=COLOURS,
        default="auto",
        help="auto, always or never: colours in printed tables; auto means on a terminal, and"
        " respects NO_COLOR and FORCE_COLOR (default: auto)",
    )


def _format_of(arguments: Namespace, named: str | None, catalogue: Catalogue) -> str:
    """Return the format that ``--format`` names, or the ending of a file.

    Raises UsageError for a file with the ending of no format, or of another one.
    """
    usual: str = getattr(arguments, "usual_format", "table")
    ending = os.path.splitext(named or "")[1][1:].lower()
    formats = [name for name, _ in catalogue.reports]
    file_format, requested = _ENDINGS.get(ending, ending), arguments.format
    if requested and requested != file_format and file_format in formats:
        raise UsageError(
            f"output {quoted(str(named))} is called {file_format}, but --format is {requested}"
        )
    if requested or ending in _PLAIN:
        return requested or usual
    if file_format in formats:
        return file_format
    raise UsageError(
        f"output {quoted(str(named))}: no format is called {ending!r}; the format is"
        f" one of {', '.join(formats)}"
    )


def data_target(named: str | None, what: str, catalogue: Catalogue) -> Path | None:
    """Return the path to write data to as JSON, or None without one.

    Raises UsageError if the path cannot be written, or if its ending is that of another format.
    """
    if named is None:
        return None
    path = real_path(named)
    check_target(path)
    ending = path.suffix[1:].lower()
    file_format = _ENDINGS.get(ending, ending)
    if file_format != "json" and file_format in dict(catalogue.reports):
        raise UsageError(
            f"output {quoted(named)} is called {file_format}, but --output writes {what} as JSON;"
            f" --format {file_format} prints the page"
        )
    return path


def screen_of(colour: str = "auto", out: TextIO | None = None) -> Screen:
    """Return the screen of a stream, by default of standard output.

    ``colour`` is one of COLOURS.
    """
    out = sys.stdout if out is None else out
    is_terminal = out is not None and out.isatty()
    if colour == "auto" and os.environ.get("NO_COLOR"):
        has_colours = False
    elif colour == "auto" and os.environ.get("FORCE_COLOR"):
        has_colours = True
    else:
        is_able = is_terminal and os.environ.get("TERM") != "dumb"
        has_colours = {"always": True, "never": False}.get(colour, is_able)
    width = max(20, shutil.get_terminal_size().columns) if is_terminal else PIPE.width
    return Screen(width, has_colours, is_terminal)


def save(record: Record, path: str | os.PathLike[str], file_format: str) -> None:
    """Write a record to a file: see :meth:`arena.records.Record.save`."""
    from arena.plugin.manager import load_catalogue  # which records do without

    for word, value in (("path", path), ("format", file_format)):
        if not isinstance(value, (str, os.PathLike)):
            raise UsageError(f"a {word} is a text, not {quoted(repr(value))}")
    arguments = Namespace(output=os.fspath(path), format=file_format)
    Output(arguments, load_catalogue()).write(record)


class Output:
    """Presents records as the options say, made first so that a bad option stops all work."""

    def __init__(self, arguments: Namespace, catalogue: Catalogue, to_file: bool = True) -> None:
        named: str | None = arguments.output if to_file else None
        self._format = _format_of(arguments, named, catalogue)
        report = catalogue.reports.get(self._format)
        is_full = bool(getattr(arguments, "verbose", False))  # a plugin may make arguments itself
        on_screen = getattr(report, "on_screen", None)
        if on_screen is not None and named is None:
            screen = screen_of(getattr(arguments, "color", "auto"))
            self._make: ReportText = lambda record: on_screen(record, screen, is_full)
        else:
            self._make = getattr(report, "in_full", report) if is_full else report
        self._between = "\n" if self._format in ("json", "csv") else "\n\n"
        self._path = None if named is None else real_path(named)
        self._arguments, self._isolation = arguments, catalogue.isolation
        if self._path is not None:
            check_target(self._path)
        #: The part of a record that is shown.
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

    def write_games(self, result: RememberedResult) -> None:
        """Present a result, whose games have short ids from then on."""
        from arena.cli.last import remember  # most commands show no games

        self.write(result)
        remember(result, self._arguments, self._isolation)

    def write_all(self, records: Iterable[Record]) -> None:
        """Present records one after the other, printed as they come."""
        if self._path is not None:
            text = self._between.join(map(self._report, records))
            write_atomically(self._path, text and text + "\n")
            return
        for number, record in enumerate(records):
            separator = self._between[1:] if number else ""
            if text := self._report(record):  # JSON lines may be none
                print(separator + text, flush=True)
