"""``arena report STORE -o report.html``: one page of everything that a store has."""

from __future__ import annotations

import csv
import io
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

import arena
from arena.cli.fields import add_fields, field_of, options_of, reader
from arena.cli.output import Output, add_output
from arena.cli.stores import RUN_NUMBERS
from arena.errors import UsageError, counted, quoted
from arena.features.report.options import ReportOptions
from arena.features.report.pages import entrant_pages
from arena.files import check_target, naming, real_path, write_atomically
from arena.model.defaults import STORE
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.reports import Report
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="STORE|RESULT.json",
        help="a store, or the JSON of a fight or a tournament; several become one page"
        f" (default: ${STORE}, if that is set)",
    )
    options = declared(ReportOptions)
    run = field_of(options["runs"], action="append", default=None, type=reader(RUN_NUMBERS))
    add_fields(parser, {"runs": run})
    parser.add_argument(
        "--per-entrant",
        metavar="DIR",
        help="write a page for each entrant into this folder, with its own games only",
    )
    add_fields(parser, {"pseudonyms": field_of(options["pseudonyms"])})
    parser.add_argument(
        "--key", metavar="FILE", help="with --pseudonyms: write the real names into a CSV file"
    )
    add_output(parser, usual="html")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the same as --output")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Write the pages. Players play nothing."""
    output = Output(arguments, catalogue)
    sources = arguments.sources or list(filter(None, [os.environ.get(STORE)]))
    if not sources:
        raise UsageError(
            f"nothing is named: write arena report STORE -o report.html, or set {STORE}"
        )
    key, folder = _key(arguments), _folder(arguments)
    has_page = folder is None or arguments.output is not None
    is_html = arguments.output is None and arguments.format in (None, "html")
    if has_page and is_html and sys.stdout.isatty():
        raise UsageError("a page is for a file: name one with -o report.html")
    with progress.display():
        report = arena.report(sources, catalogue=catalogue, **options_of(arguments))
    if key is not None:
        write_atomically(key, _pseudonyms_csv(report.pseudonyms))
    if folder is not None:
        _write_entrants(folder, report, catalogue)
    if has_page:
        output.write(report)
    return 0


def _key(arguments: Namespace) -> Path | None:
    if arguments.key is None:
        return None
    if not arguments.pseudonyms:
        raise UsageError("--key is for --pseudonyms: without them the pages have the names")
    path = real_path(arguments.key, "key")
    check_target(path)
    return path


def _folder(arguments: Namespace) -> Path | None:
    """Return the folder for the pages of entrants. The first page makes it."""
    if arguments.per_entrant is None:
        return None
    if arguments.output is None and arguments.format not in (None, "html"):
        raise UsageError(f"--per-entrant writes html, but --format is {arguments.format}")
    folder = Path(arguments.per_entrant)
    check_target(folder / "page.html" if folder.is_dir() else folder)
    if os.path.lexists(folder) and not folder.is_dir():
        raise UsageError(f"folder {quoted(str(folder))}: it is a file")
    return folder


def _make(folder: Path) -> None:
    with naming("folder", folder):
        folder.mkdir(exist_ok=True)


def _pseudonyms_csv(pseudonyms: Mapping[str, str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("name", "pseudonym"), *pseudonyms.items()])
    return text.getvalue()


def _write_entrants(folder: Path, report: Report, catalogue: Catalogue) -> None:
    _make(folder)
    pages = 0
    for page in entrant_pages(report, catalogue):
        write_atomically(folder / page.file, page.text)
        pages += 1
    print(f"{counted(pages, 'page')} in {folder}")
