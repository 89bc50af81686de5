"""``arena regress``: is any player weaker than the baseline says, and are all claims true."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

import arena
from arena.cli.fields import Field, add_fields, field, options_of, shared, store, whole
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.running import FAULT
from arena.errors import UsageError, quoted
from arena.features.regress.failing_test import failing_test
from arena.features.regress.function import DEFAULT_BASELINE
from arena.features.regress.junit_plugin import JUNIT
from arena.features.regress.record import NotKept, RegressionReport
from arena.features.regress.request import (
    DEFAULT_LEVEL,
    DEFAULT_REGRESSION_MARGIN,
    DEFAULT_UPDATE_PAIRS,
    DEFAULT_UPDATE_SEED,
    QUICK_MARGIN,
)
from arena.files import check_target, real_path, write_atomically
from arena.inputs.options import MAX_PAIRS
from arena.plugin.catalogue import Catalogue
from arena.rng import SEED_LIMIT


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the players to check (default: those of the project in this folder; without any, all"
        " that are installed or in the baseline)",
    )
    add_fields(parser, {**_checking(), **_sampling(), **shared("workers", "executor")})
    add_isolation(parser)
    add_fields(parser, {"store": store("keep the verdicts in this file, for arena history")})
    add_output(parser)
    parser.add_argument("--junit", metavar="FILE", help="also write the result as JUnit XML")
    parser.add_argument(
        "--write-test",
        metavar="FILE.py",
        help="write a pytest test that fails until the problem is fixed",
    )


def _checking() -> dict[str, Field]:
    """Return the options that say what is checked."""
    return {
        "game": field(
            "--game", metavar="GAME", help="check only this game (default: those of the baseline)"
        ),
        "baseline": field(
            "--baseline",
            metavar="FILE",
            help=f"what to compare with (default: {DEFAULT_BASELINE}, if it is there)",
        ),
        "update": field(
            "--update", action="store_true", help="rewrite the baseline, to accept what changed"
        ),
        "panel": field(
            "--panel",
            type=_names,
            default=(),
            metavar="A,B,...",
            help="the opponents to measure strength against (default: the baseline's; for a"
            " new one, all players)",
        ),
        "quick": field(
            "--quick", action="store_true", help="play at most half the pairs, with a larger margin"
        ),
    }


def _sampling() -> dict[str, Field]:
    """Return the options of what must be played."""
    return {
        "level": field(
            "--level",
            type=_share,
            default=DEFAULT_LEVEL,
            metavar="P",
            help=f"probability of wrongly calling any player weaker (default: {DEFAULT_LEVEL})",
        ),
        "margin": field(
            "--margin",
            type=_share,
            metavar="POINTS",
            help="the fall, in points per game, that games must show or rule out (default:"
            f" {DEFAULT_REGRESSION_MARGIN}, with --quick {QUICK_MARGIN})",
        ),
        "n": field(
            "-n",
            type=whole(1, MAX_PAIRS),
            metavar="N",
            help="number of pairs that --update plays against each opponent where policies cannot"
            f" be enumerated (default: the baseline's, or {DEFAULT_UPDATE_PAIRS})",
        ),
        "seed": field(
            "--seed",
            type=whole(0, SEED_LIMIT - 1),
            metavar="S",
            help=f"the seed of these pairs (default: the baseline's, or {DEFAULT_UPDATE_SEED})",
        ),
    }


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was found. Return 0 for as strong, 1 weaker, 3 undecided, 4 a fault."""
    output = Output(arguments, catalogue)
    _check_junit(arguments.junit, catalogue)
    test = _new_file(arguments.write_test)
    try:
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


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise ArgumentTypeError(f"must be different names with commas, not {quoted(text)}")
    return names


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise ArgumentTypeError(f"must be a number between 0 and 1, not {quoted(text)}")
    return share
