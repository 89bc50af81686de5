"""``python -m benchmarks.coverage [--quick] [SECTION...]``: simulate, and print one table."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator

from benchmarks.coverage import (
    anytime,
    books,
    fixed,
    luck,
    misfit,
    payoffs,
    rankings,
    ranks,
    rating,
    regress,
    schedules,
    sequential,
    until,
)
from benchmarks.coverage.table import Row, render

#: Simulation of each section, and its replicates in a full run: about an hour in all.
SECTIONS: dict[str, tuple[Callable[[int], Iterator[Row]], int]] = {
    "fixed": (fixed.rows, 4000),
    "sequential": (sequential.rows, 700),
    "anytime": (anytime.rows, 1000),
    "books": (books.rows, 100),
    "ratings": (rating.rows, 500),
    "schedules": (schedules.rows, 120),
    "ranks": (ranks.rows, 1000),
    "p-values": (misfit.rows, 3000),
    "regress": (regress.rows, 600),
    "until": (until.rows, 200),
    "payoffs": (payoffs.rows, 400),
    "luck": (luck.rows, 4000),
    "tables": (rankings.rows, 400),
}

#: A quick run has one replicate of this many.
QUICK = 100


def main() -> None:
    """Simulate the chosen sections, and print their rows."""
    arguments = _arguments()
    rows: list[Row] = []
    for name in arguments.sections or SECTIONS:
        print(f"simulating: {name}", file=sys.stderr)
        simulate, replicates = SECTIONS[name]
        rows += simulate(max(2, replicates // QUICK) if arguments.quick else replicates)
    print(render(rows))
    if arguments.quick:
        print("\nA quick run shows that everything can be simulated; its shares mean nothing.")


def _arguments() -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks.coverage",
        description="Measure how often what arena prints is true.",
    )
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}"
    )
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"unknown section {unknown[0]!r}: use {', '.join(SECTIONS)}")
    return arguments


if __name__ == "__main__":
    main()
