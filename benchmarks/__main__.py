"""``python -m benchmarks [--quick] [--only GROUP]``: measure, and print one table."""

from __future__ import annotations

import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from arena.executors.base import usable_cores
from benchmarks import (
    calls,
    fairness,
    isolation,
    keeping,
    process,
    searching,
    tables,
    wire,
    workers,
)
from benchmarks.table import Row, render

#: Every group; told whether to be quick, it measures and says what it found.
GROUPS: dict[str, Callable[[bool], list[Row]]] = {
    "calls": calls.rows,
    "table": tables.rows,
    "search": searching.rows,
    "process": process.rows,
    "workers": workers.rows,
    "store": keeping.rows,
    "isolation": isolation.rows,
    "wire": wire.rows,
    "fairness": fairness.rows,
}

NOTE = """\
Short batches of the two things compared alternate, and the ratio is that of the fastest batch of
each: processor time for `calls`, which plays in one process, and wall-clock time for the rest.
Times are for orientation only: ratios can be compared between runs, times cannot."""

QUICK = "A quick run shows that everything can be measured; what it measured means little."


def main() -> None:
    """Run the groups asked for and print their rows as one Markdown table."""
    arguments = _arguments()
    rows: list[Row] = []
    for name in [arguments.only] if arguments.only else GROUPS:
        print(f"measuring: {name}", file=sys.stderr)
        rows += GROUPS[name](arguments.quick)
    print(render(rows), NOTE, sep="\n\n")
    if arguments.quick:
        print(QUICK)
    print(f"{platform.python_implementation()} {platform.python_version()}", end=", ")
    print(f"usable cores: {usable_cores()}.")


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measure arena's speed.")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", choices=GROUPS, help="one group of measurements")
    return parser.parse_args()


if __name__ == "__main__":
    main()
