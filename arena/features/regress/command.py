"""``arena regress``: is any player weaker than the baseline says, and are all claims true."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import arena
from arena.cli.fields import add_fields, fields_of, options_of, store
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.running import FAULT
from arena.errors import UsageError, quoted
from arena.features.regress.failing_test import failing_test
from arena.features.regress.junit import JUNIT
from arena.features.regress.options import RegressOptions
from arena.features.regress.record import NotKept, RegressionReport
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the players to check (default: those of the project in this folder; without any, all"
        " that are installed or in the baseline)",
    )
    fields = fields_of(declared(RegressOptions))
    purpose = "keep the verdicts in this file, for arena history"
    add_fields(parser, {**fields, "store": store(purpose)})
    add_isolation(parser)
    add_output(parser)
    parser.add_argument("--junit", metavar="FILE", help="also write the result as JUnit XML")
    parser.add_argument(
        "--write-test",
        metavar="FILE.py",
        help="write a pytest test that fails until the problem is fixed",
    )


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was found. Return 0 for as strong, 1 weaker, 3 undecided, 4 a fault."""
    output = Output(arguments, catalogue)
    _check_junit(arguments.junit, catalogue)
    test = _new_file(arguments.write_test)
    try:
        with progress.display():
            report = arena.regress(arguments.players, **options_of(arguments), catalogue=catalogue)
    except NotKept as error:
        _present(error.record, test, output)
        raise
    _present(report, test, output)
    if arguments.junit is not None and JUNIT in catalogue.observers.dropped:
        return report.exit_code or FAULT
    return report.exit_code


def _present(report: RegressionReport, test: Path | None, output: Output) -> None:
    """Print a report, and write the test that fails as it does."""
    if test is not None and report.exit_code:
        write_atomically(test, failing_test(report, test))
    output.write(report)


def _check_junit(named: str | None, catalogue: Catalogue) -> None:
    """Raise UsageError if the file cannot be written, or nothing is there to write it."""
    if named is None:
        return
    check_target(real_path(named, "junit file"))
    if JUNIT not in catalogue.observers.plugins:
        raise UsageError(f"--junit needs the plugin {JUNIT}, which is disabled or broken")


def _new_file(named: str | None) -> Path | None:
    if named is None:
        return None
    path = real_path(named, "test")
    check_target(path)
    if path.suffix != ".py":
        raise UsageError(f"test {quoted(named)} does not end in .py")
    if path.exists():
        raise UsageError(f"test {quoted(named)} is there already")
    return path
